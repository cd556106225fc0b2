import { decideSaleOutcome } from '../sales/sale-outcome.js';
import { carryOut } from '../clock/carry-out.js';
import type { SandboxContext } from '../sandbox-context.js';
import { lockAgreement } from './agreement-rows.js';
import { nextCycle } from './agreement-standing.js';
import { collectPayment } from './collect-payment.js';
import { isFundingDeclined } from './funding.js';

/**
 * Bills one cycle of each agreement that has one due; true when there were any. Cycles that a stopped service missed are
 * made up for one after the other, each once: what is due is a row, and a cycle is billed in one transaction with the
 * date of the next.
 */
export function runCycles(context: SandboxContext): Promise<boolean> {
  const due = context.database
    .selectFrom('billing_agreements')
    .select(['id', 'client_id', 'next_billing_at as due_at'])
    .where('id', 'is not', null)
    .$narrowType<{ id: string }>()
    .where('state', '=', 'Active')
    .where('next_billing_at', '<=', new Date());
  return carryOut(context, due, ({ id, client_id }) => runCycle(context, id, client_id));
}

async function runCycle(context: SandboxContext, agreementId: string, clientId: string): Promise<void> {
  const fault = await context.faults.strikeTask('agreement.cycle', clientId);
  const application = await context.applications.get(clientId);
  await context.database.transaction().execute(async (transaction) => {
    const agreement = await lockAgreement(transaction, agreementId);
    const now = new Date();
    if (agreement?.state !== 'Active') return;
    if (agreement.next_billing_at === null || agreement.next_billing_at > now) return;
    const unit = { transaction, now, requestId: null };
    const funding = (await isFundingDeclined(transaction, agreement, fault))
      ? 'declined'
      : decideSaleOutcome(application.settings, fault, now);
    await collectPayment(context, unit, agreement, nextCycle(agreement), funding);
  });
}
