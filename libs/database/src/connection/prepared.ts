import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { QueryResultRow } from 'pg';
import { type Database, poolOf } from './database.js';

/** A prepared statement: each connection parses and plans it once and then uses it by name. */
export interface Prepared<Row = unknown> {
  readonly name: string;
  textFor(db: Database): string;
  /** The values that the statement always has; they follow the given ones. */
  constantsFor(db: Database): readonly unknown[];
  /** Only for the type. */
  readonly row?: Row;
}

interface Statement<Row> {
  compile(db: Database): CompiledQuery<Row>;
}

/**
 * For large or frequent statements, whose parsing and planning takes as long as their execution. PostgreSQL plans them
 * again when the statistics of their tables change.
 *
 * @param name unique to this statement
 * @param statement is called once; its result has a `parameter` in place of each value. It names the columns that it
 *   returns: with `*`, a migration that adds one would make it fail on every connection that has prepared it.
 */
export function prepared<Row>(name: string, statement: (db: Database) => Statement<Row>): Prepared<Row> {
  let compiled: Compiled | undefined;
  const compiledFor = (db: Database): Compiled => (compiled ??= compile(statement(db).compile(db)));
  return {
    name,
    textFor: (db) => compiledFor(db).text,
    constantsFor: (db) => compiledFor(db).constants,
  };
}

interface Compiled {
  readonly text: string;
  readonly constants: readonly unknown[];
}

/** Numbers the values as they are given, however often and in whatever order the statement uses them. */
function compile({ sql: text, parameters }: CompiledQuery): Compiled {
  const most = Math.max(0, ...parameters.map((value) => (value instanceof Place ? value.number : 0)));
  const constants: unknown[] = [];
  const numbers = parameters.map((value) =>
    value instanceof Place ? value.number : most + constants.push(value),
  );
  return {
    text: text.replaceAll(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`),
    constants,
  };
}

class Place {
  constructor(readonly number: number) {}
}

/** @param place from 1 */
export function parameter<T = unknown>(place: number): RawBuilder<T> {
  return sql<T>`${new Place(place)}`;
}

/** Runs a statement: in a transaction of its own, or in the given one, where it is parsed each time. */
export async function runPrepared<Row extends QueryResultRow>(
  db: Database,
  statement: Prepared<Row> | Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  const text = statement.textFor(db);
  const all = [...values, ...statement.constantsFor(db)];
  if (db.isTransaction) return (await db.executeQuery<Row>(CompiledQuery.raw(text, all))).rows;
  return (await poolOf(db).query<Row>({ name: statement.name, text, values: all })).rows;
}
