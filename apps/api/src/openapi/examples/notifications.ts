import type { NotificationType } from '#database/notifications';
import {
  notifiedChargebacks,
  notifiedItems,
  notifiedPayouts,
  notifiedRefunds,
  notifiedSubscriptions,
} from './notified-others.js';
import { notifiedPayments } from './notified-payments.js';
import { at, ids } from './parts.js';

type Named<Subject extends string, Data> = {
  readonly [Name in keyof Data & string as `${Subject}.${Name}`]: Data[Name];
};

/** The data of a notification of each type: what GET of its resource answered then. */
const data: Readonly<Record<NotificationType, Shown>> = {
  ...of('payment', notifiedPayments),
  ...of('refund', notifiedRefunds),
  ...of('chargeback', notifiedChargebacks),
  ...of('subscription', notifiedSubscriptions),
  ...of('payout', notifiedPayouts),
  ...of('payout_item', notifiedItems),
  ...of('endpoint', { test: { endpointId: ids.endpoint } }),
};

interface Shown {
  readonly endpointId?: string;
  readonly updatedAt?: string;
  readonly timeline?: readonly { readonly at: string }[];
}

function of<Subject extends string, Data extends Readonly<Record<string, object>>>(
  subject: Subject,
  byName: Data,
) {
  return Object.fromEntries(
    Object.entries(byName).map(([name, value]) => [`${subject}.${name}`, value]),
  ) as Named<Subject, Data>;
}

/** The whole body of a notification. It is written with the change that it tells of. */
export function notificationOf(type: NotificationType): object {
  const { [type]: shown } = data;
  const createdAt = shown.updatedAt ?? shown.timeline?.at(-1)?.at ?? at('12:00:02');
  return { id: ids.notification, type, createdAt, sequence: 1_007, data: shown };
}
