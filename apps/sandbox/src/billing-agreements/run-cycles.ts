import { isFundingDeclined } from '../accounts/funding.js';
import type { Booking } from '../books/book.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { AgreementRow } from '../database/tables.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import { lockAgreement, paymentsUnderWay, saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { canBeOwed, nextCycle, withNextBilling } from './agreement-standing.js';
import { collectPayment } from './collect-payment.js';
import { recordEndOfBilling } from './agreement-events.js';

/**
 * Bills one cycle of each agreement that has one due. Cycles that a stopped service missed
 * are billed afterwards one by one, each once: a due cycle is a row, and it is billed in one transaction with the date
 * of the next.
 */
export function runCycles(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('billing_agreements')
      .select(['id', 'client_id', 'next_billing_at as due_at'])
      .where('id', 'is not', null)
      .$narrowType<{ id: string }>()
      .where('state', '=', 'Active')
      .where('next_billing_at', '<=', instant);
  return carryOut(context, dueAt, ({ id, client_id }) => runCycle(context, id, client_id));
}

/**
 * Bills the next cycle of an active agreement without waiting for its date; the dates of later cycles stay.
 *
 * @returns false if it has none, or is not active.
 */
export async function billNextCycleNow(
  context: SandboxContext,
  { id, client_id }: AgreementRow,
): Promise<boolean> {
  if (id === null) return false;
  const { numUpdatedRows } = await context.database
    .updateTable('billing_agreements')
    .set({ next_billing_at: new Date() })
    .where('id', '=', id)
    .where('state', '=', 'Active')
    .where('next_billing_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return false;
  await runCycle(context, id, client_id);
  context.wakeTasks();
  return true;
}

async function runCycle(context: SandboxContext, agreementId: string, clientId: string): Promise<void> {
  const application = await context.applications.get(clientId);
  await context.database.transaction().execute(async (transaction) => {
    const agreement = await lockAgreement(transaction, agreementId);
    const now = new Date();
    if (agreement?.state !== 'Active') return;
    if (agreement.next_billing_at === null || agreement.next_billing_at > now) return;
    const unit = { transaction, now, requestId: null };
    const charge = nextCycle(agreement);
    if (!canBeOwed(agreement, charge, await paymentsUnderWay(transaction, agreement.id))) {
      await suspend(context, unit, agreement);
      return;
    }
    // A free cycle asks no funding source, so there is nothing that a fault could change.
    const fault =
      charge.amountMinor === 0
        ? null
        : await context.faults.useInside(transaction, 'agreement.cycle', clientId);
    const funding = (await isFundingDeclined(transaction, agreement.payer_id, fault))
      ? 'declined'
      : decideSaleOutcome(application.settings, fault, now);
    await collectPayment(context, unit, agreement, charge, funding);
  });
}

/**
 * Another failed cycle would exceed the largest amount: no cycle is billed until the debt has been paid or forgiven.
 */
async function suspend(
  context: SandboxContext,
  { transaction, now }: Booking,
  agreement: ExecutedAgreement,
): Promise<void> {
  const suspended = await saveStanding(transaction, agreement, withNextBilling(agreement, 'Suspended'), now);
  await recordEndOfBilling(transaction, agreement.state, suspended, context.links, now);
}
