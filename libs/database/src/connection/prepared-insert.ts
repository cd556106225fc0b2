import type { RawBuilder } from 'kysely';
import { parameter } from './prepared.js';

/** The values of an inserted row, or what stands for them in a statement. */
export type Inserted<Values> = { readonly [Name in keyof Values]: Values[Name] | RawBuilder<Values[Name]> };

/** The columns of an inserted row, in the order of its values. */
export interface InsertColumns<Values> {
  /** A `parameter` in place of each value. */
  readonly places: Inserted<Values>;
  readonly count: number;
  of(values: Values): unknown[];
}

/**
 * @param columns each of the row's columns.
 * @param after the number of parameters before the first one.
 */
export function insertColumns<Values extends object>(
  columns: Readonly<Record<keyof Values, true>>,
  after = 0,
): InsertColumns<Values> {
  const names = Object.keys(columns) as (keyof Values)[];
  return {
    places: Object.fromEntries(
      names.map((name, n) => [name, parameter(after + n + 1)]),
    ) as unknown as Inserted<Values>,
    count: names.length,
    of: (values) => names.map((name) => values[name]),
  };
}
