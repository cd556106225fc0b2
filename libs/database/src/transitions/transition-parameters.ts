import { type RawBuilder, sql } from 'kysely';
import { parameter } from '../connection/prepared.js';

/** The parameters of a transition's statements, the same for all kinds and causes, in their order. */
const types = {
  subjectId: 'text',
  environment: 'text',
  application: 'text',
  state: 'jsonb',
  status: 'text',
  version: 'integer',
  /** Null for a writer that has locked the row. */
  task: 'timestamptz',
  knownStatus: 'text',
  knownVersion: 'integer',
  /** When the read began that is written; null if none is, or if it began with the attempt. */
  readBeganAt: 'timestamptz',
  /** True if the transition is to an end. */
  isEnding: 'boolean',
  /** The final results of the parts; null if every state may be written. */
  finalParts: 'jsonb',
  /** One object with the columns of `columnsOf`. */
  columns: 'jsonb',
  resources: 'jsonb',
  timeline: 'jsonb',
  /** The last lines that the run has written before. */
  ownLines: 'jsonb',
  commands: 'jsonb',
  /** Kinds of the commands that this end proves carried out. */
  fulfilled: 'text[]',
  /** The result of the commands that this end leaves behind. */
  leftResult: 'jsonb',
  calls: 'jsonb',
  /** The notifications. */
  news: 'jsonb',
} as const;

type Name = keyof typeof types;
export type TransitionParameters = Readonly<Record<Name, RawBuilder<unknown>>>;

const names = Object.keys(types) as Name[];

/** The places of the values in the statements. */
export const given = Object.fromEntries(
  names.map((name, n) => [name, sql`${parameter(n + 1)}::${sql.raw(types[name])}`]),
) as TransitionParameters;

/** The first value of the write before the others. */
export const firstPlace = names.length + 1;

export function inPlace(values: Readonly<Record<Name, unknown>>): unknown[] {
  return names.map((name) => values[name]);
}
