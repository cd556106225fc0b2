import { randomUUID } from 'node:crypto';
import type { CallOptions } from '../client-options.js';
import type { Caller } from '../caller.js';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '../operations.js';
import { toWire } from '../outgoing.js';
import {
  type CreateWebhookRequest,
  createWebhookRequest,
  updateWebhookRequest,
} from '../schemas/requests.js';
import type { Webhook } from '../schemas/webhook.js';

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
  async create(request: CreateWebhookRequest, { signal }: CallOptions = {}): Promise<Webhook> {
    const body = toWire(createWebhookRequest, request, { operation: createWebhook.name });
    // No effect on money hangs on this id, so nobody need have kept it.
    return this.#caller.perform(createWebhook, { body, requestId: randomUUID(), signal });
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Webhook> {
    return this.#caller.perform(getWebhook, { id, signal });
  }

  list({ signal }: CallOptions = {}): Promise<readonly Webhook[]> {
    return this.#caller.perform(listWebhooks, { signal });
  }

  /**
   * Replaces address and event types.
   * @throws RejectedError (`WEBHOOK_PATCH_REQUEST_NO_CHANGE` also when an attempt whose answer was lost has done it,
   *   `WEBHOOK_URL_ALREADY_EXISTS`, …)
   */
  async update(id: string, request: CreateWebhookRequest, { signal }: CallOptions = {}): Promise<Webhook> {
    const body = toWire(updateWebhookRequest, request, { operation: updateWebhook.name });
    return this.#caller.perform(updateWebhook, { id, body, signal });
  }

  /** @throws NotFoundError also when an attempt whose answer was lost has removed it */
  delete(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#caller.perform(deleteWebhook, { id, signal });
  }
}
