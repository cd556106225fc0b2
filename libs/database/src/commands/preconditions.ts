import { sql } from 'kysely';
import type { Owner } from '../schema/owner.js';
import type { CommandResult, CommandRow } from '../schema/schema.js';
import type { Database } from '../connection/database.js';
import { shownVersionOf } from '../tables/shown-version.js';
import { tableOf } from '../tables/subject-tables.js';
import { type NewCommand, acceptCommand, findExisting } from './command-rows.js';

/** The subject has another version than the caller has seen. Nothing was written. */
export class VersionMismatchError extends Error {
  override readonly name = 'VersionMismatchError';

  constructor(
    readonly subjectId: string,
    readonly version: number,
  ) {
    super(`the subject has version ${version}`);
  }
}

/**
 * Commits a command like `acceptCommand`, if its subject still has one of these versions.
 *
 * @throws {VersionMismatchError} if not; never for a repeat of an earlier request.
 */
export async function acceptAtVersion(
  db: Database,
  command: NewCommand,
  refusal: CommandResult | undefined,
  versions: readonly number[],
): Promise<{ readonly row: CommandRow; readonly isNew: boolean }> {
  return await db.transaction().execute(async (trx) => {
    await lockSubject(trx, command, command.subjectId);
    const earlier = await findExisting(trx, command);
    if (earlier) return { row: earlier, isNew: false };
    await assertVersion(trx, command, command.subjectId, versions);
    return await acceptCommand(trx, command, refusal);
  });
}

/**
 * To be called while the subject's row is locked, so that its version stays what it is until the command is committed. A
 * command that was accepted and that the run has not begun counts as a change: two requests that saw the same version
 * are not both accepted.
 *
 * @throws {VersionMismatchError} if the subject has none of these versions.
 */
export async function assertVersion(
  trx: Database,
  { environment, application }: Owner,
  id: string,
  versions: readonly number[],
): Promise<void> {
  const table = tableOf({ id });
  const { rows } = await sql<{ shown_version: number; refund_changes: number; is_changing: boolean }>`
    select ${shownVersionOf(table)},
      ${table === 'payments' ? sql`refund_changes` : sql`0 as refund_changes`},
      exists (
        select from commands
        where subject_id = ${id} and status = 'accepted' and kind not in ('create', 'refund')
      ) as is_changing
    from ${sql.table(table)}
    where id = ${id} and environment = ${environment} and application = ${application}`.execute(trx);
  const [seen] = rows;
  if (!seen) return;
  const version = seen.shown_version + seen.refund_changes;
  if (seen.is_changing || !versions.includes(version)) throw new VersionMismatchError(id, version);
}

/** A statement of its own: the next one sees what was committed while this one waited. */
async function lockSubject(trx: Database, { environment, application }: Owner, id: string): Promise<void> {
  await sql`select from ${sql.table(tableOf({ id }))}
    where id = ${id} and environment = ${environment} and application = ${application} for update`.execute(
    trx,
  );
}
