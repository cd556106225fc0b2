import type { Booking } from '../books/book.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { SaleRow } from '../database/tables.js';
import { createSale } from '../sales/create-sale.js';
import type { Completion } from '../completion/completion.js';
import { saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { afterPayment, type Charge, type PaymentOutcome } from './agreement-standing.js';
import { recordAgreementEvent, recordEndOfBilling } from './agreement-events.js';

/** The answer of the payer's funding source. */
export type FundingAnswer = Completion | 'declined';

/**
 * Tries to collect a charge of an agreement whose row the caller has locked: the sale with its movement and event, the
 * transaction, the agreement's new state and its events, all in one transaction. The row's unique cycle prevents a
 * second charge of a cycle.
 */
export async function collectPayment(
  context: SandboxContext,
  unit: Booking,
  agreement: ExecutedAgreement,
  charge: Charge,
  funding: FundingAnswer,
): Promise<ExecutedAgreement> {
  const { transaction, now } = unit;
  const outcome = outcomeOf(charge, funding);
  const sale =
    funding === 'declined' || charge.amountMinor === 0
      ? null
      : await sell(context, unit, agreement, charge, funding);
  await transaction
    .insertInto('agreement_transactions')
    .values({
      agreement_id: agreement.id,
      kind: charge.kind,
      cycle: charge.cycle,
      due_minor: charge.dueMinor,
      amount_minor: charge.amountMinor,
      waived_minor: 0,
      status: outcome,
      sale_id: sale?.id ?? null,
      created_at: now,
    })
    .execute();
  const standing = afterPayment(agreement, charge, outcome, now);
  const updated = await saveStanding(transaction, agreement, standing, now);
  if (outcome === 'failed') await recordFailure(context, unit, updated);
  await recordEndOfBilling(transaction, agreement.state, updated, context.links, now);
  return updated;
}

export function recordFailure(
  context: SandboxContext,
  { transaction, now }: Booking,
  agreement: ExecutedAgreement,
): Promise<void> {
  return recordAgreementEvent(
    transaction,
    'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
    agreement,
    context.links,
    now,
  );
}

/** A charge of zero asks no funding source: a free trial cycle is always paid. */
function outcomeOf(charge: Charge, funding: FundingAnswer): PaymentOutcome {
  if (charge.amountMinor === 0) return 'completed';
  return funding === 'declined' ? 'failed' : funding.state;
}

function sell(
  context: SandboxContext,
  unit: Booking,
  agreement: ExecutedAgreement,
  charge: Charge,
  outcome: Completion,
): Promise<SaleRow> {
  return createSale(
    unit,
    {
      clientId: agreement.client_id,
      belongsTo: { billingAgreementId: agreement.id },
      amountMinor: charge.amountMinor,
      currency: agreement.terms.currency,
      amountDetails: charge.details,
      payerId: agreement.payer_id,
      payeeId: agreement.payee_id,
      invoiceNumber: null,
      custom: null,
      outcome,
    },
    context.links,
  );
}
