import { sql } from 'kysely';
import type { SubjectTable } from './subject-tables.js';

/** A row with the version that callers see. */
export type Shown<Row> = Row & { readonly shown_version: number };

/**
 * The version of the newest timeline line. The row's own version also counts events such as "look" or "wait longer",
 * which must not wake long polls.
 */
export function shownVersionOf(table: SubjectTable) {
  const [id, floor] = [sql.ref(`${table}.id`), sql.ref(`${table}.version_floor`)];
  return sql<number>`greatest(${floor}, (select max(line.version) from timeline as line where line.subject_id = ${id}))`.as(
    'shown_version',
  );
}
