import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { QueryResultRow } from 'pg';
import { type Database, poolOf } from './database.js';

/** A prepared statement: each connection parses and plans it once and then uses it by name. */
export interface Prepared {
  readonly name: string;
  textFor(db: Database): string;
}

/**
 * For large, frequent statements, whose parsing and planning takes as long as their execution. PostgreSQL plans them
 * again when the statistics of their tables change.
 *
 * @param name unique to this statement
 * @param statement is called once; its result has a `parameter` in place of each value.
 */
export function prepared(name: string, statement: () => RawBuilder<unknown>): Prepared {
  let text: string | undefined;
  return { name, textFor: (db) => (text ??= statement().compile(db).sql) };
}

/** @param place from 1 */
export function parameter(place: number): RawBuilder<unknown> {
  return sql.raw(`$${place}`);
}

/** Runs a statement: in a transaction of its own, or in the given one, where it is parsed each time. */
export async function runPrepared<Row extends QueryResultRow>(
  db: Database,
  statement: Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  const text = statement.textFor(db);
  if (db.isTransaction) return (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  return (await poolOf(db).query<Row>({ name: statement.name, text, values: [...values] })).rows;
}
