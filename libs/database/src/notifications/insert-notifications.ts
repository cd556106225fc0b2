import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { DatabaseTransaction } from '../connection/database.js';
import { newsRecords } from './news-record.js';
import { outboxRows } from './notification-rows.js';
import type { News } from './notification-types.js';

/** Writes the notifications about a subject's parts in the transaction that writes the parts. */
export async function insertNotifications(
  trx: DatabaseTransaction,
  subject: Subject,
  news: readonly News[],
): Promise<void> {
  if (news.length === 0) return;
  const parameters = {
    environment: sql`${subject.environment}::text`,
    application: sql`${subject.application}::text`,
    subjectId: sql`${subject.id}::text`,
    news: sql`${newsRecords(news)}::jsonb`,
  };
  const [notifications, deliveries] = outboxRows('notification', parameters);
  await sql`with notification as (${notifications}), delivery as (${deliveries})
    select count(*) from notification`.execute(trx);
}
