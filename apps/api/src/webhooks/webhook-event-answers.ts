import { z } from 'zod';
import { webhookStatuses } from '#database/schema';
import { shownInstant } from '../wire/fields.js';
import { listAnswer } from '../wire/pages.js';

const state = z.enum(webhookStatuses).meta({
  description:
    'received: journaled. dispatching: a process is dispatching it. applied: done, or it reported nothing new. ignored: too late to matter. parked: waits until its resource is known, or until a call is answered. contested: contradictory deliveries came; the provider is asked which one is right. conflict: it contradicts our records, which are kept.',
});

const listedEvent = {
  id: z.string().meta({ description: 'The provider’s id of the event.' }),
  type: z.string(),
  state,
  detail: z.string().nullable().meta({ description: 'Why it is in this state.' }),
  subjectId: z.string().nullable().meta({
    description:
      'Our payment, refund, plan, subscription or payout that the event is about; null while it is unknown.',
  }),
  paymentId: z.string().nullable().meta({ description: 'The same id if it is a payment.' }),
  resource: z.object({ kind: z.string(), id: z.string(), state: z.string() }),
  source: z
    .enum(['delivery', 'reconciliation'])
    .meta({ description: 'Whether it was delivered, or found by the search for missed events.' }),
  deliveries: z.int(),
  contradictions: z.int().meta({
    description:
      'The number of deliveries with another content under the same event id or transmission id. The engine follows what the provider shows.',
  }),
  receivedAt: shownInstant,
  stateAt: shownInstant,
  waitingSince: shownInstant
    .nullable()
    .meta({ description: 'Since when the event waits to be processed; null if it does not.' }),
};

export const webhookEventListAnswer = listAnswer(
  z.object(listedEvent).meta({ id: 'WebhookEventEntry' }),
  'WebhookEventList',
);
export type WebhookEventListAnswer = z.output<typeof webhookEventListAnswer>;

export const webhookEventAnswer = z
  .object({
    ...listedEvent,
    history: z
      .array(z.object({ state, at: shownInstant, detail: z.string().nullable() }))
      .meta({ description: 'Every state in order; a very long list is shortened in the middle.' }),
    resends: z
      .array(z.object({ requestedBy: z.string(), at: shownInstant, stateBefore: state }))
      .meta({ description: 'Who requested another dispatch, and when; the latest hundred.' }),
    payload: z.unknown().meta({ description: 'The event as received, without personal or secret data.' }),
  })
  .meta({ id: 'WebhookEvent' });
export type WebhookEventAnswer = z.output<typeof webhookEventAnswer>;

export const webhookInboxAnswer = z
  .object({
    waiting: z.array(z.object({ state, count: z.int(), oldestReceivedAt: shownInstant })).meta({
      description: 'The events that wait to be processed. If the age grows, nothing processes them.',
    }),
    webhook: z
      .object({
        id: z.string().nullable().meta({ description: 'Null while the provider does not have our webhook.' }),
        problem: z.string().nullable(),
        checkedAt: shownInstant,
      })
      .nullable()
      .meta({ description: 'The engine’s own webhook at the provider; null before the first check.' }),
  })
  .meta({ id: 'WebhookInbox' });
export type WebhookInboxAnswer = z.output<typeof webhookInboxAnswer>;
