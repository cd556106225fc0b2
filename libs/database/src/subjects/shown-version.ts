import { sql } from 'kysely';
import type { SubjectTable } from '../tables/subject-tables.js';

/** A row with the version that callers are shown. */
export type Shown<Row> = Row & { readonly shown_version: number };

/**
 * The version of the last line of its story. The row's own counts every event that its run has taken, also those that
 * say only "look" or "wait longer": a caller who waits for news would be woken by each.
 */
export function shownVersionOf(table: SubjectTable) {
  const [id, floor] = [sql.ref(`${table}.id`), sql.ref(`${table}.version_floor`)];
  return sql<number>`greatest(${floor}, (select max(line.version) from timeline as line where line.subject_id = ${id}))`.as(
    'shown_version',
  );
}
