import type { Database } from '#database/connection';

/** The commands of a subject that users of the console have given. */
export async function commandsOf(db: Database, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('commands')
    .select(['kind', 'requested_by', 'status'])
    .where('subject_id', '=', id)
    .orderBy('created_at')
    .execute();
  return rows
    .filter(({ requested_by: by }) => by.startsWith('console:'))
    .map(({ kind, requested_by: by, status }) => `${by} ${kind} ${status}`);
}

export async function auditOf(db: Database, id: string) {
  return await db
    .selectFrom('console_audit')
    .select(['user_name', 'action', 'reason'])
    .where('subject_id', '=', id)
    .orderBy('id')
    .execute();
}
