import { hasId, type Operation, post, read } from './operation.js';
import { eventPage, foundEvent } from '../schemas/event.js';
import { eventTypeList } from '../schemas/event-type.js';
import { verification } from '../schemas/verification.js';
import { type Webhook, webhook, webhookList } from '../schemas/webhook.js';

const WEBHOOKS = '/v1/notifications/webhooks';
const EVENTS = '/v1/notifications/webhooks-events';
const EVENT_TYPES = '/v1/notifications/webhooks-event-types';
const VERIFICATION = '/v1/notifications/verify-webhook-signature';

// Registering twice is refused by address (WEBHOOK_URL_ALREADY_EXISTS), but no request id is declared for it.
export const createWebhook = post('webhook.create', 'reconcile', () => WEBHOOKS, webhook);
export const listWebhooks = read('webhook.list', () => WEBHOOKS, webhookList);
export const getWebhook = read('webhook.get', (id) => `${WEBHOOKS}/${id}`, webhook, hasId);
export const updateWebhook: Operation<Webhook> = {
  name: 'webhook.update',
  method: 'PATCH',
  // It only replaces: a repetition is refused as a change of nothing (WEBHOOK_PATCH_REQUEST_NO_CHANGE).
  repeatability: 'safe',
  path: (id) => `${WEBHOOKS}/${id}`,
  answer: webhook,
};
export const deleteWebhook: Operation<undefined> = {
  name: 'webhook.delete',
  method: 'DELETE',
  repeatability: 'safe',
  path: (id) => `${WEBHOOKS}/${id}`,
  answer: null,
};
export const listEventTypesOfWebhook = read(
  'webhook.event-types',
  (id) => `${WEBHOOKS}/${id}/event-types`,
  eventTypeList,
);
export const listEventTypes = read('event-type.list', () => EVENT_TYPES, eventTypeList);

/** A POST that only asks. */
export const verifySignature = post('signature.verify', 'safe', () => VERIFICATION, verification);

// The specification shows no path for the search; the public one stands in.
export const searchEvents = read('event.list', () => EVENTS, eventPage);
/** @param eventPath the dialect's */
export const getEvent = (eventPath: string) =>
  read(
    'event.get',
    (id) => `${eventPath}/${id}`,
    foundEvent,
    ({ event }, asked) => hasId(event, asked),
  );
/** Sent again twice is delivered again twice, and an event has one effect however often it comes. */
export const resendEvent = (eventPath: string) =>
  post('event.resend', 'safe', (id) => `${eventPath}/${id}/resend`, foundEvent);
