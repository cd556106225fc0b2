import type { Transaction } from 'kysely';
import type { AgreementState, Tables } from '../database/tables.js';
import type { EventType } from '../events/event-types.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeAgreement } from './agreement-representation.js';
import { recordHistory, type ExecutedAgreement } from './agreement-rows.js';

type AgreementEvent = Extract<EventType, `BILLING.SUBSCRIPTION.${string}`>;

export function recordAgreementEvent(
  transaction: Transaction<Tables>,
  type: AgreementEvent,
  agreement: ExecutedAgreement,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type,
    clientId: agreement.client_id,
    resourceId: agreement.id,
    resource: describeAgreement(agreement, links),
    now,
  });
}

/** Events and history of the states in which an agreement is no longer billed. */
const END_OF_BILLING = {
  Suspended: ['BILLING.SUBSCRIPTION.SUSPENDED', 'Suspended'],
  Cancelled: ['BILLING.SUBSCRIPTION.CANCELLED', 'Canceled'],
  Expired: ['BILLING.SUBSCRIPTION.EXPIRED', 'Expired'],
} as const;

/** Records that an agreement is no longer billed, when that is its new state. */
export async function recordEndOfBilling(
  transaction: Transaction<Tables>,
  before: AgreementState | null,
  agreement: ExecutedAgreement,
  links: Links,
  now: Date,
): Promise<void> {
  const { state } = agreement;
  if (state === before || state === null || state === 'Active' || state === 'Pending') return;
  const [event, history] = END_OF_BILLING[state];
  await recordHistory(transaction, agreement, history, now);
  await recordAgreementEvent(transaction, event, agreement, links, now);
}
