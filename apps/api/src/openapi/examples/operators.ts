import { notificationOf } from './notifications.js';
import { at, ids } from './parts.js';

export const endpoint = {
  id: ids.endpoint,
  url: 'https://shop.example/payments/notifications',
  description: 'Order service',
  eventTypes: ['payment.captured', 'payment.hold_expiring'],
  state: 'enabled',
  stateReason: null,
  failingSince: null,
  previousSecretUntil: null,
  createdAt: at('09:00:00'),
  updatedAt: at('09:00:00'),
};

export const notificationEntry = {
  id: ids.notification,
  type: 'payment.authorized',
  subjectId: ids.payment,
  sequence: 1_007,
  createdAt: at('12:00:02'),
  deliveries: [
    {
      endpointId: ids.endpoint,
      state: 'delivered',
      attempts: 1,
      lastStatus: 204,
      lastReason: null,
      nextAttemptAt: null,
      finishedAt: at('12:00:03'),
    },
  ],
};

export const notification = {
  ...notificationEntry,
  attempts: [{ endpointId: ids.endpoint, at: at('12:00:02'), durationMs: 180, status: 204, reason: null }],
  payload: notificationOf('payment.authorized'),
};

export const webhookEventEntry = {
  id: 'WH-2WR32451HC0233532-67976317FL4543714',
  type: 'PAYMENT.CAPTURE.COMPLETED',
  state: 'applied',
  detail: null,
  subjectId: ids.payment,
  paymentId: ids.payment,
  resource: { kind: 'capture', id: '4LB73295AK6218347', state: 'completed' },
  source: 'delivery',
  deliveries: 1,
  contradictions: 0,
  receivedAt: at('12:05:02'),
  stateAt: at('12:05:03'),
  waitingSince: null,
};

export const webhookEvent = {
  ...webhookEventEntry,
  history: [
    { state: 'received', at: at('12:05:02'), detail: null },
    { state: 'applied', at: at('12:05:03'), detail: null },
  ],
  resends: [],
  payload: {
    id: webhookEventEntry.id,
    event_type: webhookEventEntry.type,
    resource_type: 'capture',
    resource: { id: '4LB73295AK6218347', state: 'completed' },
  },
};

export const webhookInbox = {
  waiting: [{ state: 'parked', count: 1, oldestReceivedAt: at('12:05:02') }],
  webhook: { id: '0EH40505U7160970P', problem: null, checkedAt: at('12:00:00') },
};

export const codecSession = {
  id: 'cs_5f0c9b1e6a7d4c3e9f2a8b7c6d5e4f30',
  keyId: 'operators',
  createdAt: at('12:00:00'),
  expiresAt: at('13:00:00'),
  signedInAt: at('12:00:10'),
  revokedAt: null,
  lastUsedAt: at('12:01:00'),
  payloadsShown: 24,
};

export const openedCodecSession = {
  ...codecSession,
  signedInAt: null,
  lastUsedAt: null,
  payloadsShown: 0,
  token: 'Yx0wS1d2mCq7n9v4Lr8tE3k6Jb5hG0aZpUoIiRfTwQe',
  signInUrl: 'https://pay.example/codec/sign-in/Qw7eR5tY3uI1oP9aS8dF6gH4jK2lZ0xC',
};

export const drift = {
  id: 7,
  subjectId: ids.payment,
  paymentId: ids.payment,
  kind: 'difference',
  field: 'captured',
  ours: '30.00 USD',
  theirs: '40.00 USD',
  firstSeenAt: at('12:30:00'),
  lastSeenAt: at('12:40:00'),
  resolvedAt: null,
};

export const reconciliation = {
  eventsUntil: at('12:28:00'),
  eventsSearchedAt: at('12:30:00'),
  runsCheckedAt: at('12:30:00'),
  paymentsComparedAt: at('12:30:00'),
  eventsFound: 0,
  runsRestarted: 0,
  runsUnknown: 0,
  openDrift: 1,
  openUnread: 0,
};
