import type { Database } from '#database/connection';

/** The recorded calls of a subject with all their columns, in order. */
export const callsOf = (db: Database, subjectId: string) =>
  db.selectFrom('api_calls').selectAll().where('subject_id', '=', subjectId).orderBy('id').execute();
