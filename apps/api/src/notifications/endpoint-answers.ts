import { z } from 'zod';
import type { NotificationEndpointRow } from '#database/schema';
import { type Caller, mayUse } from '../auth/api-keys.js';
import { shownInstant } from '../wire/fields.js';
import { listAnswer } from '../wire/pages.js';
import { withoutSecrets } from './shown-address.js';

const endpoint = {
  id: z.string().meta({ examples: ['we_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b'] }),
  url: z.string().meta({
    description: 'Where notifications are sent; without its query for a key that lacks the scope `order`.',
  }),
  description: z.string().nullable(),
  eventTypes: z.array(z.string()).meta({ description: 'Empty: all types.' }),
  state: z.enum(['enabled', 'disabled']).meta({
    description:
      '`enabled`: it is sent what happens. `disabled`: nothing is sent to it; over the API, or because it failed for three days or answered 410. What is written meanwhile is listed as `failed`.',
  }),
  stateReason: z.string().nullable().meta({ description: 'Why it is disabled.' }),
  failingSince: shownInstant
    .nullable()
    .meta({ description: 'Since when every attempt has failed; null while it takes what it is sent.' }),
  previousSecretUntil: shownInstant
    .nullable()
    .meta({ description: 'Until then the secret before the last rotation signs, too.' }),
  createdAt: shownInstant,
  updatedAt: shownInstant,
};

export const endpointAnswer = z.object(endpoint).meta({ id: 'NotificationEndpoint' });
export type EndpointAnswer = z.output<typeof endpointAnswer>;

export const endpointWithSecretAnswer = z
  .object({
    ...endpoint,
    secret: z.string().meta({
      description: 'Verifies the signatures. It is shown here and at a rotation only.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  })
  .meta({ id: 'NotificationEndpointWithSecret' });
export type EndpointWithSecretAnswer = z.output<typeof endpointWithSecretAnswer>;

export const endpointListAnswer = listAnswer(endpointAnswer, 'NotificationEndpointList');
export type EndpointListAnswer = z.output<typeof endpointListAnswer>;

export const testAnswer = z
  .object({ notificationId: z.string().meta({ description: 'Shows whether it was delivered.' }) })
  .meta({ id: 'NotificationTest' });
export type TestAnswer = z.output<typeof testAnswer>;

export const replayAnswer = z
  .object({
    notifications: z.int().meta({ description: 'How many are delivered again: the oldest, 10,000 at most.' }),
  })
  .meta({ id: 'NotificationReplayed' });
export type ReplayAnswer = z.output<typeof replayAnswer>;

/** @param caller sees the whole address if it may also set it. */
export function viewEndpoint(
  row: NotificationEndpointRow,
  now: number,
  caller: Pick<Caller, 'scopes'>,
): EndpointAnswer {
  const { previous_until: until } = row;
  return {
    id: row.id,
    url: mayUse(caller, 'order') ? row.url : withoutSecrets(row.url),
    description: row.description,
    eventTypes: row.event_types,
    state: row.status === 'enabled' ? 'enabled' : 'disabled',
    stateReason: row.status_reason,
    failingSince: row.failing_since?.toISOString() ?? null,
    previousSecretUntil: until !== null && until.getTime() > now ? until.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
