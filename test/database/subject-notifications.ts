import { registerEndpoint } from '#database/notifications';
import type { Database } from '#database/connection';
import { newId, owner } from './engine-database.js';

export async function register(
  db: Database,
  eventTypes: readonly string[] = [],
  application = 'shop',
): Promise<string> {
  const id = newId('we');
  await registerEndpoint(db, {
    environment: owner.environment,
    application,
    id,
    url: 'https://shop.example/told',
    description: null,
    eventTypes,
    secret: Buffer.from('sealed'),
    idempotencyKey: id,
    bodyHash: '',
  });
  return id;
}

export async function notificationsOf(db: Database, subjectId: string) {
  return await db
    .selectFrom('notifications')
    .select(['type', 'state', 'version', 'item_id', 'sequence'])
    .where('subject_id', '=', subjectId)
    .orderBy('sequence')
    .execute();
}

export const notificationTypesOf = async (db: Database, subjectId: string) =>
  (await notificationsOf(db, subjectId)).map(({ type }) => type);

export async function receiversOf(db: Database, subjectId: string) {
  const rows = await db
    .selectFrom('notification_deliveries')
    .select('endpoint_id')
    .where('lane', '=', subjectId)
    .execute();
  return rows.map(({ endpoint_id: id }) => id);
}
