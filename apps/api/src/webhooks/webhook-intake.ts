import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Database } from '../../../../libs/database/src/database.js';
import { type NewWebhookEvent, journalWebhookEvent } from '../../../../libs/database/src/webhook-events.js';
import type { NotifiedResource } from '../../../../libs/workflows/src/lifecycle/notification.js';
import {
  type DeliveryHeaders,
  MalformedEventError,
  type WebhookEvent,
  parseWebhookEvent,
} from '../../../../libs/payments-client/src/webhooks/index.js';
import { databaseToken } from '../database-token.js';
import { Problem } from '../problems/problem.js';
import { parseJson } from '../server/received-body.js';
import { storedPayload } from './stored-payload.js';
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

function readEvent(rawBody: Buffer): Omit<NewWebhookEvent, 'environment' | 'application'> {
  const payload = storedPayload(parseJson(rawBody));
  try {
    const event = parseWebhookEvent(rawBody);
    return {
      eventId: event.id,
      eventType: event.eventType,
      resource: notifiedResource(event),
      resourceIds: [...new Set(Object.values(event.resourceIds) as string[])],
      payload,
    };
  } catch (error) {
    if (!(error instanceof MalformedEventError)) throw error;
    throw new Problem('malformed-request', { detail: `The event cannot be read: ${error.reason}.` });
  }
}

/** Resources that the lifecycle does not know are news of kind "other": the run then asks the provider. */
function notifiedResource({ resourceType, resource, resourceIds }: WebhookEvent): NotifiedResource {
  const state = typeof resource['state'] === 'string' ? resource['state'].slice(0, 64) : '';
  const known = { state: state.replace(/[^\w-]/g, '') };
  switch (resourceType.toLowerCase()) {
    case 'payment':
      return { kind: 'payment', id: resourceIds.paymentId ?? '', ...known, ...approvedBy(resource) };
    case 'authorization':
      return { kind: 'authorization', id: resourceIds.authorizationId ?? '', ...known };
    case 'capture':
      return { kind: 'capture', id: resourceIds.captureId ?? '', ...known };
    default:
      return { kind: 'other', id: '', ...known };
  }
}

function approvedBy({ payer }: WebhookEvent['resource']): { readonly payerId?: string } {
  const approval = approvedPayer.safeParse(payer);
  return approval.success ? { payerId: approval.data.payer_info.payer_id } : {};
}

const approvedPayer = z.object({
  status: z.literal('VERIFIED'),
  payer_info: z.object({ payer_id: z.string().regex(/^[A-Za-z0-9]{1,64}$/) }),
});
