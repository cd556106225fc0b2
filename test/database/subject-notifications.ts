import { registerEndpoint } from '#database/notifications';
import type { Database } from '#database/connection';
import type { Transition } from '#database/transitions/write-transition.js';
import type { PaymentIdentity } from '#workflows/contract';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import { payment, settled } from '../lifecycle/payment/sample-payments.js';
import { newId, owner, transition, withOwnIds } from './engine-database.js';

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
    .select(['type', 'state', 'version', 'item_id', 'sequence', 'refunds', 'refund_changes'])
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

/** A write with one line of its timeline. */
export function going(
  identity: PaymentIdentity,
  from: PaymentStatus,
  to: PaymentStatus,
  version: number,
  besides: Partial<Transition<PaymentState>> = {},
): Transition<PaymentState> {
  const state = withOwnIds(settled(payment(to)), identity);
  const line = { version, event: 'providerObserved', kind: 'moved', from, to, at: Date.now() } as const;
  return { ...transition(identity, state, version), knownStatus: from, timeline: [line], ...besides };
}
