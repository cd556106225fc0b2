import { sql } from 'kysely';
import { parameter } from '../connection/prepared.js';

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

export type TransitionParameters = typeof given;
