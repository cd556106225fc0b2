import { z } from 'zod';
import { resourceId } from './received.js';

/** A registered webhook (2.7). */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
}

export const webhook: z.ZodType<Webhook> = z
  .object({
    id: resourceId,
    url: z.string(),
    event_types: z.array(z.object({ name: z.string() })).nullish(),
  })
  .transform((wire) => ({
    id: wire.id,
    url: wire.url,
    eventTypes: (wire.event_types ?? []).map(({ name }) => name),
  }));

export const webhookList: z.ZodType<readonly Webhook[]> = z
  .object({ webhooks: z.array(webhook).nullish() })
  .transform((wire) => wire.webhooks ?? []);
