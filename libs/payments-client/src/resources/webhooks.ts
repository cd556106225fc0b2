import { randomUUID } from 'node:crypto';
import type { CallOptions } from '../client-options.js';
import type { Caller } from '../transport/caller.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listEventTypes,
  listEventTypesOfWebhook,
  listWebhooks,
  updateWebhook,
  verifySignature,
} from '../operations/notifications.js';
import { checkId, toWire } from '../transport/outgoing.js';
import type { EventType } from '../schemas/event-type.js';
import {
  type CreateWebhookRequest,
  createWebhookRequest,
  type UpdateWebhookRequest,
  updateWebhookRequest,
} from '../schemas/notification-requests.js';
import type { Webhook } from '../schemas/webhook.js';
import { type Delivery, verificationRequestOf } from '../webhooks/verification-request.js';
import type { SignatureResult } from '../webhooks/verify-signature.js';

export class Webhooks {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /**
   * Registers an address (2.7); an account has room for 10.
   * @throws RejectedError (`WEBHOOK_NUMBER_LIMIT_EXCEEDED`, `WEBHOOK_URL_ALREADY_EXISTS`, …);
   *   UnknownOutcomeError: perhaps registered, see `list`
   */
  async create(request: CreateWebhookRequest, options: CallOptions = {}): Promise<Webhook> {
    const body = toWire(createWebhookRequest, request, { operation: createWebhook.name });
    // This request moves no money, so its id need not be stored.
    return this.#caller.perform(createWebhook, { ...options, body, requestId: randomUUID() });
  }

  get(id: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#caller.perform(getWebhook, { ...options, id });
  }

  list(options: CallOptions = {}): Promise<readonly Webhook[]> {
    return this.#caller.perform(listWebhooks, options);
  }

  /**
   * The search by event type (section 4, rule 3): those that get events of it, `*` among them. Its path is not shown,
   * and there are 10 webhooks at most, so they are all read.
   */
  async subscribedTo(eventType: string, options?: CallOptions): Promise<readonly Webhook[]> {
    const all = await this.list(options);
    return all.filter(({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes(eventType));
  }

  /**
   * Replaces address, event types or both.
   * @throws RejectedError (`WEBHOOK_PATCH_REQUEST_NO_CHANGE` also when an attempt whose answer was lost has done it,
   *   `WEBHOOK_URL_ALREADY_EXISTS`, …)
   */
  async update(id: string, request: UpdateWebhookRequest, options: CallOptions = {}): Promise<Webhook> {
    const body = toWire(updateWebhookRequest, request, { operation: updateWebhook.name });
    return this.#caller.perform(updateWebhook, { ...options, id, body });
  }

  /** @throws NotFoundError also when an attempt whose answer was lost has removed it */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.#caller.perform(deleteWebhook, { ...options, id });
  }

  /** Every type that can be subscribed to. */
  availableEventTypes(options: CallOptions = {}): Promise<readonly EventType[]> {
    return this.#caller.perform(listEventTypes, options);
  }

  /** The types that a webhook subscribes to; for `*`, all of them by name. */
  eventTypes(id: string, options: CallOptions = {}): Promise<readonly EventType[]> {
    return this.#caller.perform(listEventTypesOfWebhook, { ...options, id });
  }

  /**
   * Asks the provider whether it signed a delivery. `verifyWebhookSignature` checks the same offline; use this if the
   * certificates cannot be fetched.
   * @throws PaymentsError where the provider cannot be asked: nothing is known then, answer 503
   */
  async verifySignature(delivery: Delivery, options: CallOptions = {}): Promise<SignatureResult> {
    checkId(delivery.webhookId, { operation: verifySignature.name }, 'webhookId');
    const asked = verificationRequestOf(delivery);
    if ('outcome' in asked) return asked;
    const isGenuine = await this.#caller.perform(verifySignature, { ...options, body: asked.body });
    return isGenuine
      ? { outcome: 'genuine', transmissionId: asked.transmissionId }
      : { outcome: 'forged', reason: 'signature_mismatch' };
  }
}
