import { sql } from 'kysely';
import { type Subject, type SubjectKind, kindOf } from '#workflows/contract';
import type { Database } from '../connection/database.js';

/** Each has the columns id, environment, application, status, state, version, created_at and updated_at. */
const tables = {
  payment: 'payments',
  payout: 'payouts',
  refund: 'refunds',
  plan: 'plans',
  subscription: 'subscriptions',
} as const satisfies Partial<Record<SubjectKind, string>>;

export type SubjectTable = (typeof tables)[keyof typeof tables];

export const subjectTables: readonly SubjectTable[] = Object.values(tables);

/** @throws for a kind without a table. */
export function tableOf(subject: Pick<Subject, 'id'>): SubjectTable {
  const table = (tables as Partial<Record<SubjectKind, SubjectTable>>)[kindOf(subject)];
  if (!table) throw new Error('subjects of this kind have no table');
  return table;
}

/** The status of a subject, from its row. */
export interface SubjectStatusRow {
  readonly status: string;
  readonly version: number;
}

export async function findSubject(
  db: Database,
  { environment, application, id }: Subject,
): Promise<SubjectStatusRow | undefined> {
  const { rows } = await sql<SubjectStatusRow>`
    select status, version from ${sql.table(tableOf({ id }))}
    where id = ${id} and environment = ${environment} and application = ${application}`.execute(db);
  return rows[0];
}
