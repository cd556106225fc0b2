import type { Compilable, Kysely, QueryResult, RawBuilder } from 'kysely';
import { Client, type QueryResult as ServerResult } from 'pg';
import type { Tables } from './tables.js';

/** The names of the prepared statements, by their texts. */
const names = new Map<string, string>();
/** Each connection keeps the plans of all; a text that comes later is planned each time. */
const MOST_PREPARED = 100;

/** Runs a frequent statement, which each connection parses and plans once. Its text must not depend on its values. */
export async function runPrepared<Row>(
  database: Kysely<Tables>,
  statement: RawBuilder<Row> | Compilable<Row>,
): Promise<QueryResult<Row>> {
  const compiled = statement.compile(database);
  if (names.size < MOST_PREPARED && !names.has(compiled.sql))
    names.set(compiled.sql, `statement-${names.size}`);
  return await database.executeQuery(compiled);
}

/** Kysely has no names for statements: they are added where it hands them over, as text and values. */
export class PreparingClient extends Client {
  override query(...given: readonly unknown[]): never {
    const [text, values] = given;
    const name = typeof text === 'string' && Array.isArray(values) ? names.get(text) : undefined;
    const query = super.query.bind(this) as (...all: readonly unknown[]) => Promise<ServerResult>;
    return (name === undefined ? query(...given) : query({ name, text, values })) as never;
  }
}
