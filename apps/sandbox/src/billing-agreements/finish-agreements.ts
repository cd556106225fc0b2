import { isFundingDeclined } from '../accounts/funding.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { activateAgreement, cancelPending, refuseSetupFee } from './activate-agreement.js';
import { lockAgreement } from './agreement-rows.js';

/** Activates or cancels the pending agreements whose time has come. */
export function finishAgreements(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('billing_agreements')
      .select(['id', 'settles_at as due_at'])
      .where('id', 'is not', null)
      .$narrowType<{ id: string }>()
      .where('state', '=', 'Pending')
      .where('settles_at', '<=', instant);
  return carryOut(context, dueAt, ({ id }) => finish(context, id));
}

function finish(context: SandboxContext, agreementId: string): Promise<void> {
  return context.database.transaction().execute(async (transaction) => {
    const agreement = await lockAgreement(transaction, agreementId);
    if (agreement?.state !== 'Pending') return;
    const unit = { transaction, now: new Date(), requestId: null };
    const hasFee = agreement.terms.preferences.setupFeeMinor > 0;
    const isDenied = agreement.settles_as === 'denied';
    if (agreement.settles_as === 'cancelled' || (isDenied && !hasFee)) {
      await cancelPending(context, unit, agreement);
      return;
    }
    // The fee is collected now: whether the payer had the money at the execution does not matter.
    const isDeclined =
      hasFee && (isDenied || (await isFundingDeclined(transaction, agreement.payer_id, null)));
    await (isDeclined ? refuseSetupFee : activateAgreement)(context, unit, agreement);
  });
}
