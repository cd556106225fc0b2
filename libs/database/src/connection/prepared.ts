import { type RawBuilder, sql } from 'kysely';
import type { QueryResultRow } from 'pg';
import { type Database, poolOf } from './database.js';

/** A statement that each connection parses and plans once, and then knows by its name. */
export interface Prepared {
  readonly name: string;
  textFor(db: Database): string;
}

/**
 * For statements that are large and run all the time: PostgreSQL parses and plans them for as long as it carries them
 * out. The plan is made again when the statistics of its tables are.
 *
 * @param name of this statement alone
 * @param statement is asked for once; it holds no values, but a `parameter` where one will stand.
 */
export function prepared(name: string, statement: () => RawBuilder<unknown>): Prepared {
  let text: string | undefined;
  return { name, textFor: (db) => (text ??= statement().compile(db).sql) };
}

/** @param place from 1 */
export function parameter(place: number): RawBuilder<unknown> {
  return sql.raw(`$${place}`);
}

/**
 * Runs a statement in a transaction of its own.
 *
 * @param db as it was opened; a transaction is refused.
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Database,
  statement: Prepared,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await poolOf(db).query<Row>({
    name: statement.name,
    text: statement.textFor(db),
    values: [...values],
  });
  return rows;
}
