import type { z } from 'zod';
import { authorization } from './schemas/authorization.js';
import { capture } from './schemas/capture.js';
import { eventPage, foundEvent } from './schemas/event.js';
import { payment, paymentPage } from './schemas/payment.js';
import { refund } from './schemas/refund.js';
import { sale } from './schemas/sale.js';
import { accessToken } from './schemas/token.js';
import { type Webhook, webhook, webhookList } from './schemas/webhook.js';

/**
 * What may be done when an answer does not come.
 * - `safe`: repeating changes nothing (reads; replacement and removal, whose repetition finds nothing left to do).
 * - `keyed`: the provider declares the request id for it, so the same id repeats the answer, not the effect.
 * - `reconcile`: the provider ignores the request id there (provider-facts, "Idempotency and tokens"): once
 *   bytes have left, only a look by reference can tell what happened, and this client never repeats it.
 */
export type Repeatability = 'safe' | 'keyed' | 'reconcile';

export interface Operation<Answer> {
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly repeatability: Repeatability;
  /** We build every address ourselves (section 4, rule 2); the id has been checked to hold no separator. */
  readonly path: (id: string) => string;
  /** Null where the answer has no body. */
  readonly answer: z.ZodType<Answer> | null;
}

export type OperationName =
  | 'token'
  | 'payment.create'
  | 'payment.list'
  | 'payment.get'
  | 'payment.execute'
  | 'authorization.get'
  | 'authorization.capture'
  | 'authorization.void'
  | 'capture.get'
  | 'sale.get'
  | 'refund.get'
  | 'webhook.create'
  | 'webhook.list'
  | 'webhook.get'
  | 'webhook.update'
  | 'webhook.delete'
  | 'event.list'
  | 'event.get'
  | 'event.resend';

const PAYMENTS = '/v1/payments/payment';
const AUTHORIZATIONS = '/v1/payments/authorization';
const CAPTURES = '/v1/payments/capture';
const SALES = '/v1/payments/sale';
const REFUNDS = '/v1/payments/refund';
const WEBHOOKS = '/v1/notifications/webhooks';
const EVENTS = '/v1/notifications/webhooks-events';

type Path = Operation<unknown>['path'];

const read = <A>(name: OperationName, path: Path, answer: z.ZodType<A>): Operation<A> => ({
  name,
  method: 'GET',
  repeatability: 'safe',
  path,
  answer,
});

const post = <A>(
  name: OperationName,
  repeatability: Repeatability,
  path: Path,
  answer: z.ZodType<A>,
): Operation<A> => ({ name, method: 'POST', repeatability, path, answer });

// Asking for a token twice yields a token more, and moves nothing.
export const requestToken = post('token', 'safe', () => '/v1/oauth2/token', accessToken);

export const createPayment = post('payment.create', 'reconcile', () => PAYMENTS, payment);
export const listPayments = read('payment.list', () => PAYMENTS, paymentPage);
export const getPayment = read('payment.get', (id) => `${PAYMENTS}/${id}`, payment);
export const executePayment = post('payment.execute', 'keyed', (id) => `${PAYMENTS}/${id}/execute`, payment);

export const getAuthorization = read('authorization.get', (id) => `${AUTHORIZATIONS}/${id}`, authorization);
export const captureAuthorization = post(
  'authorization.capture',
  'reconcile',
  (id) => `${AUTHORIZATIONS}/${id}/capture`,
  capture,
);
export const voidAuthorization = post(
  'authorization.void',
  'keyed',
  (id) => `${AUTHORIZATIONS}/${id}/void`,
  authorization,
);
export const getCapture = read('capture.get', (id) => `${CAPTURES}/${id}`, capture);
export const getSale = read('sale.get', (id) => `${SALES}/${id}`, sale);
export const getRefund = read('refund.get', (id) => `${REFUNDS}/${id}`, refund);

// Registering twice is refused by address (WEBHOOK_URL_ALREADY_EXISTS), but no request id is declared for it.
export const createWebhook = post('webhook.create', 'reconcile', () => WEBHOOKS, webhook);
export const listWebhooks = read('webhook.list', () => WEBHOOKS, webhookList);
export const getWebhook = read('webhook.get', (id) => `${WEBHOOKS}/${id}`, webhook);
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

// The specification shows no path for the search; the public one stands in.
export const searchEvents = read('event.list', () => EVENTS, eventPage);
/** @param eventPath the dialect's */
export const getEvent = (eventPath: string) => read('event.get', (id) => `${eventPath}/${id}`, foundEvent);
/** Sent again twice is delivered again twice, and an event has one effect however often it comes. */
export const resendEvent = (eventPath: string) =>
  post('event.resend', 'safe', (id) => `${eventPath}/${id}/resend`, foundEvent);
