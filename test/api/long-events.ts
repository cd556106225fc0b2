import { randomUUID } from 'node:crypto';
import type { Database } from '#database/connection';

/**
 * Events as they are kept once anybody was told: a payment with some hundred refunds has as much.
 *
 * @returns their subjects, the oldest first.
 */
export async function keepLongEvents(db: Database, count: number): Promise<string[]> {
  const subjects = Array.from({ length: count }, () => `pay_${randomUUID()}`);
  await db
    .insertInto('notifications')
    .values(
      subjects.map((id) => ({
        environment: 'sandbox',
        application: 'shop',
        type: 'payment.captured',
        subject_id: id,
        payload: JSON.stringify({ id, type: 'payment.captured', data: { id, text: 'x'.repeat(300_000) } }),
      })),
    )
    .execute();
  return subjects;
}
