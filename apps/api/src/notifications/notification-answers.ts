import { z } from 'zod';
import type { listNotificationAttempts, NotificationWithDeliveries } from '#database/notifications';
import { deliveryStates } from '#database/schema';
import { shownInstant, iso } from '../wire/fields.js';
import { listAnswer } from '../wire/pages.js';

const delivery = z
  .object({
    endpointId: z.string(),
    state: z.enum(deliveryStates).meta({
      description:
        'pending: it is sent, or tried again. delivered: the receiver answered with a status of 200 to 299. failed: given up after three days, or written while the endpoint was disabled; a replay sends it again.',
    }),
    attempts: z.int().meta({ description: 'Since it was last asked for.' }),
    lastStatus: z.int().nullable().meta({ description: 'The HTTP status of the last answer.' }),
    lastReason: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed, or why there was none.' }),
    nextAttemptAt: shownInstant.nullable().meta({ description: 'While it is pending.' }),
    finishedAt: shownInstant.nullable(),
  })
  .meta({ id: 'NotificationDelivery' });

const listed = {
  id: z.string().meta({
    description: 'Also the header `webhook-id` of each delivery: a receiver sees a repetition by it.',
    examples: ['evt_5f0c9b1e6a7d4c3e9f2a8b7c6d5e4f30'],
  }),
  type: z.string(),
  subjectId: z.string().meta({ description: 'What it is about; of a test, the endpoint.' }),
  sequence: z.int().meta({
    description:
      'Grows with each notification of a subject; it does not count them, because others come in between.',
  }),
  createdAt: shownInstant,
  deliveries: z.array(delivery),
};

export const notificationListAnswer = listAnswer(
  z.object(listed).meta({ id: 'NotificationEntry' }),
  'NotificationList',
);
export type NotificationListAnswer = z.output<typeof notificationListAnswer>;

export const notificationAnswer = z
  .object({
    ...listed,
    attempts: z
      .array(
        z.object({
          endpointId: z.string(),
          at: shownInstant,
          durationMs: z
            .int()
            .nullable()
            .meta({ description: 'Null while it is under way, or if the process died that made it.' }),
          status: z.int().nullable(),
          reason: z.string().nullable().meta({ description: 'Why it failed; null if it did not.' }),
        }),
      )
      .meta({ description: 'Oldest first, the first hundred.' }),
    payload: z.unknown().meta({ description: 'The body, as it is sent.' }),
  })
  .meta({ id: 'Notification' });
export type NotificationAnswer = z.output<typeof notificationAnswer>;

export function viewListedNotification(
  row: NotificationWithDeliveries,
): NotificationListAnswer['data'][number] {
  return {
    id: row.id,
    type: row.type,
    subjectId: row.subject_id,
    sequence: row.sequence,
    createdAt: row.created_at.toISOString(),
    deliveries: row.deliveries.map((each) => ({
      endpointId: each.endpoint_id,
      state: each.state,
      attempts: each.tries,
      lastStatus: each.last_status,
      lastReason: each.last_reason,
      nextAttemptAt: each.state === 'pending' ? iso(each.due_at) : null,
      finishedAt: each.finished_at === null ? null : iso(each.finished_at),
    })),
  };
}

export function viewNotification(
  row: NotificationWithDeliveries,
  payload: string,
  attempts: Awaited<ReturnType<typeof listNotificationAttempts>>,
): NotificationAnswer {
  return {
    ...viewListedNotification(row),
    attempts: attempts.map((attempt) => ({
      endpointId: attempt.endpoint_id,
      at: attempt.begun_at.toISOString(),
      durationMs: attempt.duration_ms,
      status: attempt.status,
      reason: attempt.reason,
    })),
    payload: JSON.parse(payload) as unknown,
  };
}
