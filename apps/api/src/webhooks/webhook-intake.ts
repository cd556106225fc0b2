import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '../../../../libs/database/src/database.js';
import { journalWebhookEvent } from '../../../../libs/database/src/webhook-events.js';
import {
  type DeliveryHeaders,
  MalformedEventError,
  parseWebhookEvent,
} from '../../../../libs/payments-client/src/webhooks/index.js';
import { newEventOf } from '../../../../libs/webhook-inbox/src/new-event.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { parseJson } from '../server/received-body.js';
import { type WebhookAddress, WebhookAuthenticity } from './webhook-authenticity.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';

/** Authenticate, journal, then acknowledge; dispatch comes after. */
@Injectable()
export class WebhookIntake {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(WebhookAuthenticity) private readonly authenticity: WebhookAuthenticity,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
  ) {}

  /**
   * Returns once the event is committed: only then may the delivery be acknowledged.
   *
   * @throws {Problem} 400, 401, 404, 503; nothing is written then.
   */
  async receive(address: WebhookAddress, headers: DeliveryHeaders, rawBody: Buffer): Promise<void> {
    const { environment, application } = address;
    const addressee = this.authenticity.findAddressee(address);
    await this.authenticity.assertGenuine(addressee, headers, rawBody);
    const journaled = await journalWebhookEvent(this.db, {
      environment,
      application,
      ...readEvent(rawBody),
    });
    // A redelivery is dispatched only where the first one was left behind: the lease decides.
    this.dispatcher.enqueue(journaled.id);
  }
}

/** @throws {Problem} 400 */
function readEvent(rawBody: Buffer): ReturnType<typeof newEventOf> {
  const body = parseJson(rawBody);
  try {
    return newEventOf(parseWebhookEvent(rawBody), body);
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error;
    throw new Problem('malformed-request', { detail: `The event cannot be read: ${error.reason}.` });
  }
}
