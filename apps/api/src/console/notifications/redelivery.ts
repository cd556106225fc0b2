import { z } from 'zod';
import type { ShownEndpoint } from '#database/console';
import type { Database } from '#database/connection';
import {
  listReplayed,
  type NotificationWithDeliveries,
  type Replayed,
  replayNotifications,
  resendNotification,
} from '#database/notifications';
import { withoutSecrets } from '../../notifications/shown-address.js';
import type { ActionField } from '../actions/action.js';
import { minute } from '../html/filters.js';
import { addressOf, notificationAddress } from '../sentences/words.js';
import type { AskedOfNotifications, NotificationForm } from './notification-form.js';

const words = { name: 'resend', label: 'Resend', audited: 'resend notification' };

/** One notification, to all that it is for. */
export function resendOf(db: Database, notification: NotificationWithDeliveries): NotificationForm {
  const { environment, application, id, subject_id: subjectId, sequence, type } = notification;
  const effect =
    'Sends it to each endpoint that got it, and to those that take its type now. It keeps its id.';
  return {
    ...words,
    address: notificationAddress(notification),
    title: type,
    sentence: `Notification ${id}.`,
    environment,
    application,
    subjectId,
    fields: [],
    read: () => ({
      asked: {
        effects: [effect],
        detail: id,
        perform: async ({ asOf }) => String(await resendNotification(db, sequence, { endedBefore: asOf })),
      },
    }),
  };
}

/** Notifications of an endpoint: those that failed, or all of a time. */
export function replayOf(db: Database, endpoint: ShownEndpoint): NotificationForm {
  const { environment, application, id, url } = endpoint;
  return {
    ...words,
    address: addressOf(id),
    title: withoutSecrets(url),
    sentence: `Endpoint ${id}.`,
    environment,
    application,
    subjectId: id,
    fields,
    read: ({ which, from, to }) => {
      if (which === 'failed') return { asked: replay(db, endpoint, { failed: true }) };
      if (which !== 'time') return { issues: { which: 'must be one of these' } };
      const { success, data, error } = span.safeParse({ from, to });
      if (success) return { asked: replay(db, endpoint, data) };
      return {
        issues: Object.fromEntries(error.issues.map(({ path, message }) => [String(path[0]), message])),
      };
    },
  };
}

/** Their numbers are in the form. */
const mostChosen = 1_000;

const span = z
  .object({ from: minute, to: minute })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than the beginning' });

const fields: readonly ActionField[] = [
  {
    name: 'which',
    label: 'Which',
    type: 'choice',
    options: [
      { value: 'failed', label: 'All that failed' },
      { value: 'time', label: 'All of a time' },
    ],
  },
  { name: 'from', label: 'From', type: 'time', hint: 'UTC. Written then or later.' },
  { name: 'to', label: 'Until', type: 'time', hint: 'UTC. Written before.' },
];

function replay(db: Database, { id, status }: ShownEndpoint, which: Replayed): AskedOfNotifications {
  const what =
    'failed' in which
      ? 'all that failed'
      : `all that was written from ${which.from.toISOString()} until ${which.to.toISOString()}`;
  return {
    effects: [
      `Sends again ${what}, the oldest first. Each keeps its id: a receiver sees a repetition by it.`,
      `It is about the notifications below, at most ${mostChosen.toLocaleString('en')} at a time, and none that comes meanwhile.`,
      ...(status === 'disabled' ? ['The endpoint is disabled: nothing is sent before it is enabled.'] : []),
    ],
    detail: what,
    choose: async () => await listReplayed(db, id, which, mostChosen),
    perform: async ({ asOf, chosen }) =>
      String(await replayNotifications(db, id, which, { endedBefore: asOf, only: chosen })),
  };
}
