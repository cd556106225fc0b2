import { z } from 'zod';
import { webAddress } from './sent.js';

export interface CreateWebhookRequest {
  readonly url: string;
  /** Event type names; `*` stands for all of them. */
  readonly eventTypes: readonly string[];
}

const eventTypes = z
  .array(z.string().min(1))
  .min(1)
  .transform((names) => names.map((name) => ({ name })));

export const createWebhookRequest = z
  .strictObject({ url: webAddress, eventTypes })
  .transform(({ url, eventTypes }) => ({ url, event_types: eventTypes }));

/** The only two things that can change; either or both. */
export type UpdateWebhookRequest = Partial<CreateWebhookRequest>;

export const updateWebhookRequest = z
  .strictObject({ url: webAddress.optional(), eventTypes: eventTypes.optional() })
  .refine(({ url, eventTypes }) => url !== undefined || eventTypes !== undefined, 'changes nothing')
  .transform(({ url, eventTypes }) => [
    ...(url === undefined ? [] : [{ op: 'replace', path: '/url', value: url }]),
    ...(eventTypes === undefined ? [] : [{ op: 'replace', path: '/event_types', value: eventTypes }]),
  ]);

export interface EventSearch {
  /** ISO 8601 bounds on the instant at which the event's transition began, both included. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly eventType?: string | undefined;
  /** Id of any resource that the event names. */
  readonly transactionId?: string | undefined;
  /** 1 to 300; the provider's default is 10. */
  readonly pageSize?: number | undefined;
}

export const eventSearch = z
  .strictObject({
    startTime: z.iso.datetime({ offset: true }).optional(),
    endTime: z.iso.datetime({ offset: true }).optional(),
    eventType: z.string().min(1).max(128).optional(),
    transactionId: z.string().min(1).max(128).optional(),
    pageSize: z.int().min(1).max(300).optional(),
  })
  .transform((search) => ({
    page_size: search.pageSize,
    start_time: search.startTime,
    end_time: search.endTime,
    transaction_id: search.transactionId,
    event_type: search.eventType,
  }));

export interface ResendRequest {
  /** Webhooks that are to get it, 1 to 10; without them every one that subscribes to its type. */
  readonly webhookIds?: readonly string[] | undefined;
}

export const resendRequest = z
  .strictObject({ webhookIds: z.array(z.string().min(1).max(128)).min(1).max(10).optional() })
  .transform(({ webhookIds }) => ({ webhook_ids: webhookIds }));
