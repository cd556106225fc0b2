import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { ServedApplication } from '#configuration';
import { type Database, batched, isTemporary } from '#database/connection';
import type { Delivery } from '#database/events';
import { type DeliveryHeaders, MalformedEventError, readWebhookEvent } from '#payments-client/webhooks';
import { newEventOf, type TakenDelivery, takeDeliveries } from '#webhook-inbox';
import { databaseToken } from '../injected/database-token.js';
import { log } from '../injected/log.js';
import { type Telemetry, telemetry } from '../injected/telemetry.js';
import { Problem } from '../problems/problem.js';
import { parseJson } from '../requests/received-body.js';
import { WebhookAuthenticity } from './webhook-authenticity.js';
import { WebhookDispatcher } from './webhook-dispatcher.js';

/** Authenticates a delivery, journals it and then acknowledges it. The dispatch comes later. */
@Injectable()
export class WebhookIntake {
  /** Concurrent deliveries share a commit; each is acknowledged after it. */
  private readonly journal: (delivery: Delivery) => Promise<TakenDelivery>;

  constructor(
    @Inject(databaseToken) db: Database,
    @Inject(WebhookAuthenticity) private readonly authenticity: WebhookAuthenticity,
    @Inject(WebhookDispatcher) private readonly dispatcher: WebhookDispatcher,
    @Inject(log) private readonly logger: Logger,
    @Inject(telemetry) private readonly observed: Telemetry,
  ) {
    this.journal = batched((deliveries) => takeDeliveries(db, deliveries), {
      largest: 64,
      concurrency: 2,
      // A delivery that the database refuses must not block the others.
      isOneItemsFault: (error) => !isTemporary(error),
    });
  }

  /**
   * Returns once the event is committed: only then may the delivery be acknowledged.
   *
   * @throws {Problem} 400, 401, 503; nothing is written then.
   */
  async receive(addressee: ServedApplication, headers: DeliveryHeaders, rawBody: Buffer): Promise<void> {
    const { environment, application } = addressee;
    const transmission = await this.authenticity.assertGenuine(addressee, headers, rawBody);
    const { event: read, createdAt } = readEvent(rawBody);
    const event = { environment, application, ...read };
    const journaled = await this.journal({ event, ...(transmission && { transmission }) });
    this.observed.metrics?.work.webhook(addressee, createdAt);
    // A worker asks the provider which delivery is right. Refusing this one would only cause another delivery of it.
    if (journaled.contradicts) {
      this.logger.warn(
        { event: event.eventId },
        'a delivery contradicts an earlier one of the same event or transmission; a worker asks the provider which one is right',
      );
    }
    // A redelivery is dispatched only if the first dispatch did not finish; the lease decides.
    if (journaled.isDone) return;
    if (journaled.waitMs === undefined) this.dispatcher.enqueue(journaled.id);
    else this.dispatcher.enqueueLater(journaled.id, journaled.waitMs);
  }
}

/** @throws {Problem} 400 */
function readEvent(rawBody: Buffer) {
  const body = parseJson(rawBody);
  try {
    const event = readWebhookEvent(body);
    return { event: newEventOf(event, body), createdAt: event.createTime };
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error;
    throw new Problem('malformed-request', { detail: `The event cannot be read: ${error.reason}.` });
  }
}
