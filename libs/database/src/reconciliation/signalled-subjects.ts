import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { endedSubject } from '../retention/subjects-at-rest.js';
import type { Owner } from '../schema/owner.js';

/** The ended subjects of the events that were signalled to a run since. */
export async function findEndedSubjectsOfSignals(
  db: Database,
  { environment, application }: Owner,
  since: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select signalled.id from (
      select distinct subject_id as id from webhook_events
      where environment = ${environment} and application = ${application}
        and status = 'applied' and detail like 'signalled%' and status_at >= ${since}
    ) as signalled cross join lateral ${endedSubject(sql`signalled.id`)} as ended`.execute(db);
  return rows.map(({ id }) => id);
}
