import type { Compilable, Kysely, QueryResult, RawBuilder } from 'kysely';
import { Client, type QueryResult as ServerResult } from 'pg';
import type { Tables } from './tables.js';

/** The names of the prepared statements, by their texts. */
const names = new Map<string, string>();
/** A name is never used for another text. */
let named = 0;
/** Each connection keeps the plans of all; a text that comes later is planned each time. */
const MOST_PREPARED = 200;
/** The text of an insertion grows with its rows. */
const LONGEST_PREPARED = 4_000;
/** Statements of lists and searches: their best plan depends on the values. */
const DEPENDS_ON_VALUES = /\b(?:limit|offset|order by|i?like)\b/i;
/** SQLSTATE of a plan whose columns a migration has changed since: all are planned again. */
const PLAN_OUTDATED = '0A000';

/**
 * Has each connection parse and plan a frequent statement once, although it is one of a list. Its text must not depend on
 * its values, and its plan must suit all of them.
 */
export async function runPrepared<Row>(
  database: Kysely<Tables>,
  statement: RawBuilder<Row> | Compilable<Row>,
): Promise<QueryResult<Row>> {
  const compiled = statement.compile(database);
  prepare(compiled.sql);
  return await database.executeQuery(compiled);
}

function prepare(text: string): string | undefined {
  if (names.size < MOST_PREPARED && !names.has(text)) names.set(text, `statement-${(named += 1)}`);
  return names.get(text);
}

/**
 * Prepares the statements that find their rows by keys. Kysely has no names for statements: they are added where it hands
 * them over, as text and values.
 */
export class PreparingClient extends Client {
  override query(...given: readonly unknown[]): never {
    const [text, values] = given;
    const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text, values) : undefined;
    const query = super.query.bind(this) as (...all: readonly unknown[]) => Promise<ServerResult>;
    if (name === undefined) return query(...given) as never;
    return query({ name, text, values }).catch((error: unknown) => {
      if ((error as { readonly code?: unknown }).code === PLAN_OUTDATED) names.clear();
      throw error;
    }) as never;
  }
}

function nameOf(text: string, values: readonly unknown[]): string | undefined {
  const isByKey = values.length > 0 && text.length <= LONGEST_PREPARED && !DEPENDS_ON_VALUES.test(text);
  return isByKey ? prepare(text) : names.get(text);
}
