import { type RawBuilder, sql } from 'kysely';
import type { NewerParts, SubjectRecords } from './transition.js';

/** The parts of a kind's records of which its statements are made. */
export type StatementRecords = Pick<
  SubjectRecords<never>,
  'table' | 'ends' | 'columns' | 'hasRefunds' | 'besides'
> & {
  readonly finalParts?: { readonly inRow: RawBuilder<unknown> };
  readonly newerParts?: Pick<NewerParts<never>, 'besideRow'>;
};

/**
 * The cause of a write. Only one process begins an attempt, and only one records its outcome. Any other write follows a
 * read, which may be repeated or written late.
 */
export type WriteCause = 'begin' | 'outcome' | 'read';

/**
 * Refuses the whole statement (`isOvertaken`).
 *
 * PostgreSQL runs the writes of a statement in no defined order, unless one reads the result of another. Begun before
 * counts more than refused: otherwise a step whose outcome is recorded, and whose command is therefore final, would be
 * reported as declined. So the refusal of a begin reads from `first`, the insert of the attempt, and comes after its
 * unique violation.
 */
export function refuseStatement(cause: WriteCause): RawBuilder<unknown> {
  return cause === 'begin' ? sql`(select raise_overtaken() from first)` : sql`raise_overtaken()`;
}

/**
 * False if the first write of an `outcome` has found no open attempt: another process has recorded its outcome, so
 * nothing of this one is written.
 */
export function isToBeWritten(cause: WriteCause): RawBuilder<unknown> {
  return cause === 'outcome' ? sql`exists (select from first)` : sql`true`;
}
