import type { PayoutBatchRow, PayoutItemRow, PayoutItemStatus } from '../database/tables.js';
import type { EventType } from '../events/event-types.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import type { ItemOutcome } from '../settings/payout-settings.js';

/** Why an item is not, or not yet, paid to its receiver: the public names. */
export const ITEM_ERRORS = {
  DUPLICATE_ITEM: 'An item before it in this batch has the same sender_item_id',
  SELF_PAY_NOT_ALLOWED: 'The sender and the receiver are the same account',
  INSUFFICIENT_FUNDS: 'The sender does not have sufficient funds',
  RISK_DECLINE: 'The transaction was declined',
  RECEIVER_UNREGISTERED: 'Receiver is unregistered',
  REGULATORY_PENDING: 'The transaction is under review',
  REGULATORY_BLOCKED: 'The transaction was blocked due to regulatory reasons',
} as const;

export type ItemErrorName = keyof typeof ITEM_ERRORS;

/** Unclaimed money is returned after so many days of the service. */
const DAYS_TO_CLAIM = 30;

export interface PayingTerms {
  batchOutcome: PayoutBatchRow['outcome'];
  rules: readonly { receiver: string; outcome: ItemOutcome }[];
  unknownReceivers: 'success' | 'unclaimed';
  settleMs: number;
  dayLengthMs: number;
}

/** The outcome of an item; the clock ends it `dueInMs` later, when that is not null. */
export interface Payment {
  status: PayoutItemStatus;
  event: EventType | null;
  error: ItemErrorName | null;
  settlesAs: PayoutItemRow['settles_as'];
  dueInMs: number | null;
}

type Payable = Pick<PayoutItemRow, 'recipient_type' | 'receiver' | 'refused_as'>;

/** Whether anything besides the batch and the sender's own mistakes affects the item. */
export function isPayable(item: Payable, { batchOutcome }: PayingTerms): boolean {
  return batchOutcome === 'success' && item.refused_as === null;
}

/**
 * Decides about an item when its turn comes: by the batch's outcome first, then a fault, the rules, and the receiver's
 * name.
 */
export function payItem(item: Payable, terms: PayingTerms, fault: OutcomeFault | null): Payment {
  if (terms.batchOutcome !== 'success') {
    const error = terms.batchOutcome === 'unfunded' ? 'INSUFFICIENT_FUNDS' : 'RISK_DECLINE';
    return ended('FAILED', 'PAYMENT.PAYOUTS-ITEM.DENIED', item.refused_as ?? error);
  }
  if (item.refused_as !== null) return ended('FAILED', 'PAYMENT.PAYOUTS-ITEM.FAILED', item.refused_as);
  if (fault?.kind === 'decline') return paymentFor('failed', terms);
  if (fault?.kind === 'pending') return pending(fault.settlesAs, fault.afterMs);
  return paymentFor(outcomeFor(item, terms), terms);
}

function outcomeFor(item: Payable, terms: PayingTerms): ItemOutcome {
  const receiver = item.receiver.toLowerCase();
  const rule = terms.rules.find((one) => one.receiver.toLowerCase() === receiver);
  return rule?.outcome ?? outcomeNamedIn(item) ?? terms.unknownReceivers;
}

const OUTCOME_BY_TAG: Readonly<Record<string, ItemOutcome>> = {
  success: 'success',
  failed: 'failed',
  unclaimed: 'unclaimed',
  onhold: 'onhold',
  blocked: 'blocked',
  pending: 'pending_then_success',
};

/** `anyone+unclaimed@example.com` names its own outcome. */
function outcomeNamedIn(item: Payable): ItemOutcome | undefined {
  if (item.recipient_type !== 'EMAIL') return undefined;
  const tag = /\+([a-z]+)@/i.exec(item.receiver)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(OUTCOME_BY_TAG, tag) ? OUTCOME_BY_TAG[tag] : undefined;
}

function paymentFor(outcome: ItemOutcome, terms: PayingTerms): Payment {
  switch (outcome) {
    case 'success':
      return ended('SUCCESS', 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', null);
    case 'failed':
      return ended('FAILED', 'PAYMENT.PAYOUTS-ITEM.FAILED', 'RISK_DECLINE');
    case 'onhold':
      return ended('ONHOLD', 'PAYMENT.PAYOUTS-ITEM.HELD', 'REGULATORY_PENDING');
    case 'blocked':
      return ended('BLOCKED', 'PAYMENT.PAYOUTS-ITEM.BLOCKED', 'REGULATORY_BLOCKED');
    case 'unclaimed': {
      const unclaimed = ended('UNCLAIMED', 'PAYMENT.PAYOUTS-ITEM.UNCLAIMED', 'RECEIVER_UNREGISTERED');
      return { ...unclaimed, dueInMs: DAYS_TO_CLAIM * terms.dayLengthMs };
    }
    case 'pending_then_success':
      return pending('completed', terms.settleMs);
    case 'pending_then_failed':
      return pending('denied', terms.settleMs);
  }
}

function ended(status: PayoutItemStatus, event: EventType, error: ItemErrorName | null): Payment {
  return { status, event, error, settlesAs: null, dueInMs: null };
}

/** The public API has no event of an item that is pending. */
function pending(settlesAs: 'completed' | 'denied', dueInMs: number): Payment {
  return { status: 'PENDING', event: null, error: 'REGULATORY_PENDING', settlesAs, dueInMs };
}
