import { z } from 'zod';
import { webhookStatuses } from '#database/schema';
import { shownInstant } from '../wire/fields.js';

const status = z.enum(webhookStatuses).meta({
  description:
    'received: journaled. dispatching: somebody is at it. applied: done, or told nothing new. ignored: too late to matter. parked: waits until somebody knows its resource, or a call has answered. contested: contradictory deliveries came, and the provider is asked which is true. conflict: contradicts what is on record, which stands.',
});

const listedEvent = {
  id: z.string().meta({ description: 'The provider’s id of the event.' }),
  type: z.string(),
  status,
  detail: z.string().nullable().meta({ description: 'Why it has this status.' }),
  subjectId: z.string().nullable().meta({
    description:
      'The payment, refund, plan, subscription or payout of ours that it is about; null while none is known.',
  }),
  paymentId: z.string().nullable().meta({ description: 'The same where it is a payment.' }),
  resource: z.object({ kind: z.string(), id: z.string(), state: z.string() }),
  source: z
    .enum(['delivery', 'reconciliation'])
    .meta({ description: 'Delivered, or found missing by a search of past events.' }),
  deliveries: z.int(),
  contradictions: z.int().meta({
    description:
      'Deliveries that said something else under the same id, or in the same transmission: what the provider shows is applied.',
  }),
  receivedAt: shownInstant,
  statusAt: shownInstant,
  waitingSince: shownInstant
    .nullable()
    .meta({ description: 'Of an event that somebody still has to deal with: since when.' }),
};

export const webhookEventListAnswer = z
  .object({
    events: z.array(z.object(listedEvent).meta({ id: 'WebhookEventEntry' })),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookEventList' });
export type WebhookEventListAnswer = z.output<typeof webhookEventListAnswer>;

export const webhookEventAnswer = z
  .object({
    ...listedEvent,
    history: z
      .array(z.object({ status, at: shownInstant, detail: z.string().nullable() }))
      .meta({ description: 'Every status in order; the middle is left out of a very long story.' }),
    resends: z
      .array(z.object({ requestedBy: z.string(), at: shownInstant, statusBefore: status }))
      .meta({ description: 'Who asked for another dispatch, and when.' }),
    payload: z
      .unknown()
      .meta({ description: 'The event as it came, less whatever may be personal or secret.' }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEventAnswer = z.output<typeof webhookEventAnswer>;

export const webhookInboxAnswer = z
  .object({
    waiting: z
      .array(z.object({ status, count: z.int(), oldestReceivedAt: shownInstant }))
      .meta({ description: 'What somebody still has to deal with. A growing age means that nobody does.' }),
    webhook: z
      .object({
        id: z.string().nullable().meta({ description: 'Null while the provider has none of ours.' }),
        problem: z.string().nullable(),
        checkedAt: shownInstant,
      })
      .nullable()
      .meta({ description: 'The engine’s own webhook at the provider; null before the first check.' }),
  })
  .meta({ id: 'WebhookInbox' });
export type WebhookInboxAnswer = z.output<typeof webhookInboxAnswer>;
