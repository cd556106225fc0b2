import type { SaleRow } from '../database/tables.js';
import type { Booking } from '../books/book.js';
import { createSale } from '../sales/create-sale.js';
import type { Completion } from '../clock/settlement.js';
import type { SandboxContext } from '../sandbox-context.js';
import { saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { afterPayment, type Charge, type PaymentOutcome } from './agreement-standing.js';
import { tellAgreement, tellEndOfBilling } from './tell-agreement.js';

/** What the payer's funding source says. */
export type FundingAnswer = Completion | 'declined';

/**
 * Tries to collect a charge of an agreement whose row the caller has locked: the sale with its movement and event, the
 * transaction, what it makes of the agreement and the events of that, all in one transaction. The row's unique cycle is
 * what keeps a cycle from being charged twice.
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
  if (outcome === 'failed') await tellFailure(context, unit, updated);
  await tellEndOfBilling(transaction, agreement.state, updated, context.links, now);
  return updated;
}

export function tellFailure(
  context: SandboxContext,
  { transaction, now }: Booking,
  agreement: ExecutedAgreement,
): Promise<void> {
  return tellAgreement(transaction, 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', agreement, context.links, now);
}

/** Nobody is asked for nothing: a free trial cycle is always paid. */
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
