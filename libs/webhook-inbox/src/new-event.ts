import { z } from 'zod';
import { storableText } from '#database/text';
import type { NewWebhookEvent } from '#database/events';
import type { WebhookEvent } from '#payments-client/webhooks';
import { InvalidAmountError, type Money, parseMoney, type NotifiedResource } from '#workflows/lifecycle';
import { storedPayload } from './stored-payload.js';

/**
 * What the inbox stores of an event, delivered or found.
 *
 * @param body the event's JSON document, of which only an allow-list of fields is kept.
 */
export function newEventOf(
  event: WebhookEvent,
  body: unknown,
): Omit<NewWebhookEvent, 'environment' | 'application'> {
  return {
    eventId: storableText(event.id),
    eventType: storableText(event.eventType),
    resource: notifiedResource(event),
    resourceIds: [...new Set((Object.values(event.resourceIds) as string[]).map(storableText))],
    payload: storedPayload(body),
  };
}

/** Resources that the lifecycle does not know have the kind "other": the run then reads the provider. */
function notifiedResource({
  eventType,
  resourceType,
  resource,
  resourceIds,
}: WebhookEvent): NotifiedResource {
  const known = { state: wordOf(resource['state']) };
  switch (resourceType.toLowerCase()) {
    case 'payment':
      return { kind: 'payment', id: resourceIds.paymentId ?? '', ...known, ...approvedBy(resource) };
    case 'authorization':
      return {
        kind: 'authorization',
        id: resourceIds.authorizationId ?? '',
        ...known,
        ...amountOf(resource),
      };
    case 'capture':
      return { ...collected('capture', resourceIds.captureId, resource), ...afterReversal(eventType, known) };
    case 'sale':
      return { ...collected('sale', resourceIds.saleId, resource), ...afterReversal(eventType, known) };
    case 'refund':
      return { kind: 'refund', id: resourceIds.refundId ?? '', ...known, ...referenceOf(resource) };
    case 'payouts':
    case 'payouts_item':
      return payoutResource(eventType, resource, resourceIds);
    case 'plan':
      return { kind: 'plan', id: resourceIds.planId ?? '', ...known, ...changedAt(resource) };
    case 'agreement':
      return { kind: 'agreement', id: resourceIds.agreementId ?? '', ...known, ...changedAt(resource) };
    default:
      return { kind: 'other', id: '', ...known };
  }
}

/** Some chargebacks show the transaction that takes the money back, which is completed, under the id of the capture. */
function afterReversal(eventType: string, known: { readonly state: string }): { readonly state: string } {
  return eventType.endsWith('.REVERSED') && known.state === 'completed' ? { state: 'reversed' } : known;
}

/** A state, reduced to the characters of a status word. */
function wordOf(state: unknown): string {
  // Masked first: after removing other characters a card number could no longer be recognized.
  return typeof state === 'string' ? storableText(state.slice(0, 64)).replace(/[^\w-]/g, '') : '';
}

/** A batch has its state in a header; a resource without a header is an item. */
function payoutResource(
  eventType: string,
  { batch_header: header, transaction_status: status }: WebhookEvent['resource'],
  { payoutBatchId = '', payoutItemId = '' }: WebhookEvent['resourceIds'],
): NotifiedResource {
  const batch = batchHeader.safeParse(header);
  if (batch.success) return { kind: 'payout', id: payoutBatchId, state: wordOf(batch.data.batch_status) };
  return { kind: 'payout_item', id: payoutItemId, state: wordOf(status) || itemWordIn(eventType) };
}

/** If an item's event lacks the status, the event's name gives it, so that returned money is not missed. */
function itemWordIn(eventType: string): string {
  const [, word = ''] = /^PAYMENT\.PAYOUTS-ITEM\.([A-Z]{1,32})$/.exec(eventType) ?? [];
  return otherWords[word] ?? word;
}

/** Event names that differ from the status word. */
const otherWords: Readonly<Record<string, string>> = {
  CANCELED: 'RETURNED',
  DENIED: 'FAILED',
  HELD: 'ONHOLD',
  SUCCEEDED: 'SUCCESS',
};

const batchHeader = z.object({ batch_status: z.string() });

/** A sale of a payment, or of a subscription's cycle. */
function collected(
  kind: 'capture' | 'sale',
  id: string | undefined,
  resource: WebhookEvent['resource'],
): Omit<NotifiedResource, 'state'> {
  return { kind, id: id ?? '', ...amountOf(resource), ...changedAt(resource) };
}

function approvedBy({ payer }: WebhookEvent['resource']): { readonly payerId?: string } {
  const approval = approvedPayer.safeParse(payer);
  return approval.success ? { payerId: approval.data.payer_info.payer_id } : {};
}

/** Only possible references of ours are looked up. */
function referenceOf({ invoice_number }: WebhookEvent['resource']): { readonly reference?: string } {
  return typeof invoice_number === 'string' && /^[\w-]{1,127}$/.test(invoice_number)
    ? { reference: invoice_number }
    : {};
}

/** By the provider's clock. */
function changedAt({ update_time: given }: WebhookEvent['resource']): { readonly updatedAt?: number } {
  const at = typeof given === 'string' ? Date.parse(given) : Number.NaN;
  return Number.isNaN(at) ? {} : { updatedAt: at };
}

/** An unreadable amount is left out: the provider is asked anyway. */
function amountOf({ amount }: WebhookEvent['resource']): { readonly amount?: Money } {
  const given = wireAmount.safeParse(amount);
  if (!given.success) return {};
  try {
    return { amount: parseMoney(given.data.total, given.data.currency) };
  } catch (error) {
    if (error instanceof InvalidAmountError) return {};
    throw error;
  }
}

const wireAmount = z.object({ total: z.string(), currency: z.string() });

const approvedPayer = z.object({
  status: z.literal('VERIFIED'),
  payer_info: z.object({ payer_id: z.string().regex(/^[A-Za-z0-9]{1,64}$/) }),
});
