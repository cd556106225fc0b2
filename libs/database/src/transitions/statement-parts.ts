import { type RawBuilder, sql } from 'kysely';
import { parameter } from '../connection/prepared.js';
import type { SubjectRecords } from './transition.js';

/** The parts of a kind's records of which its statements are made. */
export type StatementRecords = Pick<SubjectRecords<never>, 'table' | 'ends' | 'columns' | 'besides'> & {
  readonly finalParts?: { readonly inRow: RawBuilder<unknown> };
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

export type TransitionParameters = typeof given;

/** The places of a transition's values in its statements, the same for all kinds and causes. */
export const given = {
  subjectId: sql`${parameter(1)}::text`,
  environment: sql`${parameter(2)}::text`,
  application: sql`${parameter(3)}::text`,
  state: sql`${parameter(4)}::jsonb`,
  status: sql`${parameter(5)}::text`,
  version: sql`${parameter(6)}::integer`,
  /** Null for a writer that has locked the row. */
  task: sql`${parameter(7)}::timestamptz`,
  knownStatus: sql`${parameter(8)}::text`,
  /** True if the transition is to an end. */
  isEnding: sql`${parameter(9)}::boolean`,
  /** The final results of the parts; null if every state may be written. */
  finalParts: sql`${parameter(10)}::jsonb`,
  /** One object with the columns of `columnsOf`. */
  columns: sql`${parameter(11)}::jsonb`,
  resources: sql`${parameter(12)}::jsonb`,
  timeline: sql`${parameter(13)}::jsonb`,
  commands: sql`${parameter(14)}::jsonb`,
  /** Kinds of the commands that this end proves carried out. */
  fulfilled: sql`${parameter(15)}::text[]`,
  /** The result of the commands that this end leaves behind. */
  leftResult: sql`${parameter(16)}::jsonb`,
  calls: sql`${parameter(17)}::jsonb`,
} as const;

/** The first value of the write before the others. */
export const firstPlace = 18;
