import type { CommandRow } from '#database/schema';
import type { PaymentStatus } from '#workflows/lifecycle/payment';
import type { ItemStatus, PayoutStatus } from '#workflows/lifecycle/payout';
import type { PlanStatus } from '#workflows/lifecycle/plan';
import type { RefundStatus } from '#workflows/lifecycle/refund';
import type { SubscriptionPaymentStatus, SubscriptionStatus } from '#workflows/lifecycle/subscription';

// What each state means for an order service. The diagrams of docs/lifecycles show how one follows another.

export const paymentStates: Readonly<Record<PaymentStatus, string>> = {
  creating: 'The provider is asked to create it; its answer is not known yet.',
  awaiting_approval: 'The payer can approve it at `approvalUrl`. No money has moved.',
  authorizing: 'The payer has approved; the provider is asked to hold the funds.',
  authorized: 'The funds are held, and nothing is captured.',
  capturing: 'A capture is under way, or is pending at the provider.',
  partially_captured: 'A part is captured; the rest is held and can be captured or released.',
  reauthorizing: 'The provider is asked to hold the funds for another honour period.',
  captured: 'The end of a hold of which something was captured; nothing more can be captured.',
  voiding: 'The provider is asked to give back what is held.',
  voided: 'The end: the hold was given back, and nothing was captured.',
  executing: 'A sale: the payer has approved; the provider is asked to take the money.',
  pending: 'A sale: it was executed, and it is not decided whether the money arrives.',
  completed: 'The end: the sale has taken the money.',
  declined: 'The end: the provider or the payer’s bank declined it. No money moved.',
  cancelled: 'The end: it was cancelled before the payer had approved. No money moved.',
  expired: 'The end: the time for the approval, or the hold, ended without a capture.',
  needs_review: 'It cannot be proved what has happened: an operator must decide. Deliver nothing for it yet.',
};

export const fundsStates: Readonly<Record<'pending' | 'completed' | 'denied', string>> = {
  pending: 'The provider has not decided whether the money arrives.',
  completed: 'The money has arrived.',
  denied: 'The money does not arrive.',
};

export const refundStates: Readonly<Record<RefundStatus, string>> = {
  requesting: 'It was requested, and the provider has not answered.',
  observed: 'It was reported, and is not read at the provider yet.',
  pending: 'The provider has it, and the money has not gone back.',
  completed: 'The money has gone back.',
  failed: 'The end: the provider did not make it, or it failed there.',
  cancelled: 'The end: the provider cancelled it.',
  declined: 'The end: the provider declined the request.',
  unfounded: 'The end: the provider does not show it, or shows that it belongs to somebody else.',
  needs_review: 'It cannot be proved whether it was made: an operator must decide.',
};

export const planStates: Readonly<Record<PlanStatus, string>> = {
  creating: 'The provider is asked to create it.',
  activating: 'The provider is asked to activate it.',
  active: 'It takes subscriptions.',
  deactivating: 'The provider is asked to deactivate it.',
  inactive: 'It takes no subscriptions; those that exist are billed on.',
  deleted: 'The end: it was deleted at the provider.',
  declined: 'The end: the provider declined its terms.',
};

export const subscriptionStates: Readonly<Record<SubscriptionStatus, string>> = {
  creating: 'The provider is asked to create the agreement.',
  awaiting_approval: 'The payer can approve it at `approvalUrl`.',
  executing: 'The payer has approved; the provider is asked to make it take effect.',
  pending: 'It was executed, and is not active at the provider yet.',
  active: 'The provider bills it, cycle by cycle.',
  suspending: 'The provider is asked to suspend it.',
  suspended: 'Billing has stopped until it is reactivated.',
  reactivating: 'The provider is asked to reactivate it.',
  cancelling: 'The provider is asked to cancel it.',
  billing_balance: 'The provider is asked to collect what is outstanding.',
  setting_balance: 'The provider is asked to forgive what is outstanding above a balance.',
  needs_review: 'It cannot be proved what has happened: an operator must decide.',
  cancelled: 'The end: it was cancelled.',
  expired: 'The end: all its cycles are over.',
  declined: 'The end: the provider did not accept it.',
  lapsed: 'The end: the payer did not approve in time.',
};

export const subscriptionPaymentStates: Readonly<Record<SubscriptionPaymentStatus, string>> = {
  pending: 'The provider has not decided whether the money arrives.',
  completed: 'The money has arrived.',
  partially_refunded: 'A part of the money has gone back.',
  refunded: 'All of the money has gone back.',
  reversed: 'Charged back, whole or in part.',
  failed: 'It could not be collected; no money moved.',
  unknown: 'The provider shows a state that we do not know.',
};

export const payoutStates: Readonly<Record<PayoutStatus, string>> = {
  creating: 'The provider is asked to create the batch; its answer is not known yet.',
  processing: 'The provider has the batch and is processing it.',
  settling: 'The batch is processed; some items have not reached their end.',
  completed: 'The end: every item has reached its end, paid or not.',
  denied: 'The end: the provider refused to pay the batch.',
  cancelled: 'The end: the batch was cancelled at the provider.',
  declined: 'The end: the provider never accepted the batch.',
  needs_review: 'It cannot be proved what has happened: an operator must decide.',
};

/** With the notification that says so, where there is one: their names are not the provider's. */
export const itemStates: Readonly<Record<ItemStatus, string>> = {
  queued: 'The provider has shown nothing of it yet.',
  pending: 'The provider has it, and has not paid it.',
  onhold: 'The provider holds it back for now (`payout_item.held`).',
  unclaimed: 'The receiver has no account yet and can claim the money (`payout_item.unclaimed`).',
  success: 'The receiver has the money (`payout_item.succeeded`).',
  failed: 'It was not paid (`payout_item.failed`).',
  returned: 'The money came back (`payout_item.returned`).',
  blocked: 'The provider blocked it (`payout_item.blocked`).',
  refunded: 'The receiver sent the money back (`payout_item.refunded`).',
  reversed: 'The payment to the receiver was reversed (`payout_item.reversed`).',
};

export const commandStates: Readonly<Record<CommandRow['status'], string>> = {
  accepted: 'It is recorded and will be carried out.',
  executing: 'The provider is being asked; the outcome is not known yet.',
  succeeded: 'It was carried out.',
  failed: 'The provider declined it, or it was given up.',
  refused: 'It did not fit the state; nothing was done.',
};
