import type { Booking } from '../books/book.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { COMPLETED_AT_ONCE } from '../completion/completion.js';
import { saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { setupFee, withNextBilling } from './agreement-standing.js';
import { collectPayment } from './collect-payment.js';
import { recordAgreementEvent, recordEndOfBilling } from './agreement-events.js';

/** Activates a pending agreement and collects its setup fee. The caller holds the lock of the agreement's row. */
export async function activateAgreement(
  context: SandboxContext,
  unit: Booking,
  pending: ExecutedAgreement,
): Promise<ExecutedAgreement> {
  const active = await become(unit, pending, 'Active');
  const hasFee = active.terms.preferences.setupFeeMinor > 0;
  const paid = hasFee
    ? await collectPayment(context, unit, active, setupFee(active, 'completed'), COMPLETED_AT_ONCE)
    : active;
  await recordAgreementEvent(
    unit.transaction,
    'BILLING.SUBSCRIPTION.ACTIVATED',
    paid,
    context.links,
    unit.now,
  );
  return paid;
}

/** The payer's funding source declines the setup fee: the plan says whether the agreement ends or owes the fee. */
export async function refuseSetupFee(
  context: SandboxContext,
  unit: Booking,
  pending: ExecutedAgreement,
): Promise<ExecutedAgreement> {
  const isGoingOn = pending.terms.preferences.initialFailAmountAction === 'CONTINUE';
  const charge = setupFee(pending, 'failed');
  if (!isGoingOn) {
    return cancelPending(context, unit, await collectPayment(context, unit, pending, charge, 'declined'));
  }
  const active = await become(unit, pending, 'Active');
  const owing = await collectPayment(context, unit, active, charge, 'declined');
  await recordAgreementEvent(
    unit.transaction,
    'BILLING.SUBSCRIPTION.ACTIVATED',
    owing,
    context.links,
    unit.now,
  );
  return owing;
}

export async function cancelPending(
  context: SandboxContext,
  unit: Booking,
  pending: ExecutedAgreement,
): Promise<ExecutedAgreement> {
  const cancelled = await become(unit, pending, 'Cancelled');
  await recordEndOfBilling(unit.transaction, pending.state, cancelled, context.links, unit.now);
  return cancelled;
}

function become(
  { transaction, now }: Booking,
  agreement: ExecutedAgreement,
  state: 'Active' | 'Cancelled',
): Promise<ExecutedAgreement> {
  return saveStanding(transaction, agreement, withNextBilling(agreement, state), now);
}
