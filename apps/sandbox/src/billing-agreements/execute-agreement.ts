import { isFundingDeclined } from '../accounts/funding.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AgreementRow } from '../database/tables.js';
import { ApiError, type ErrorName } from '../http/api-error.js';
import { newAgreementId } from '../http/identifiers.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import type { Answer } from '../server/idempotency.js';
import { activateAgreement, refuseSetupFee } from './activate-agreement.js';
import { describeAgreement } from './agreement-representation.js';
import { asExecuted, recordHistory, type ExecutedAgreement } from './agreement-rows.js';
import { withNextBilling } from './agreement-standing.js';
import { recordAgreementEvent } from './agreement-events.js';

/**
 * Executes an agreement that its payer has approved: it gets its id, and the setup fee is collected.
 * The lock of its row makes simultaneous executions run one after the other; a repeated one answers the existing
 * agreement, as the public API does.
 */
export async function executeAgreement(
  context: SandboxContext,
  unit: UnitOfWork,
  token: string,
): Promise<Answer> {
  const waiting = await unit.transaction
    .selectFrom('billing_agreements')
    .selectAll()
    .where('token', '=', token)
    .where('client_id', '=', unit.application.clientId)
    .forUpdate()
    .executeTakeFirst();
  if (waiting === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const present = asExecuted(waiting);
  if (present !== undefined) return { status: 200, body: describeAgreement(present, context.links) };
  const refusal = refusalToExecute(waiting, unit.now);
  if (refusal !== undefined) throw new ApiError(refusal);

  const agreement = await execute(context, unit, waiting);
  return { status: 200, body: describeAgreement(agreement, context.links) };
}

function refusalToExecute(agreement: AgreementRow, now: Date): ErrorName | undefined {
  if (agreement.payer_approved_at !== null) return undefined;
  return agreement.expires_at <= now ? 'PAYMENT_EXPIRED' : 'PAYMENT_NOT_APPROVED_FOR_EXECUTION';
}

async function execute(
  context: SandboxContext,
  unit: UnitOfWork,
  waiting: AgreementRow,
): Promise<ExecutedAgreement> {
  const { transaction, now } = unit;
  const hasFee = waiting.terms.preferences.setupFeeMinor > 0;
  const isDeclined = await isFundingDeclined(transaction, waiting.payer_id, unit.fault);
  if (isDeclined && !hasFee) throw new ApiError('INSTRUMENT_DECLINED');
  const completion = isDeclined ? null : completionOf(unit, hasFee);
  const row = await transaction
    .updateTable('billing_agreements')
    .set({
      ...withNextBilling(waiting, 'Pending'),
      id: newAgreementId(),
      settles_at: completion?.at ?? null,
      settles_as: completion?.as ?? null,
      updated_at: now,
    })
    .where('token', '=', waiting.token)
    .returningAll()
    .executeTakeFirstOrThrow();
  const agreement = asExecuted(row);
  if (agreement === undefined) throw new Error('An executed agreement has no id');
  await recordHistory(transaction, agreement, 'Created', now);
  await recordAgreementEvent(transaction, 'BILLING.SUBSCRIPTION.CREATED', agreement, context.links, now);
  if (isDeclined) return refuseSetupFee(context, unit, agreement);
  return completion === null ? activateAgreement(context, unit, agreement) : agreement;
}

interface Completion {
  at: Date;
  as: 'active' | 'denied' | 'cancelled';
}

/**
 * When a pending agreement ends, and with which state; null: it is active at once. A fault decides before the settings.
 */
function completionOf({ fault, application, now }: UnitOfWork, hasFee: boolean): Completion | null {
  const { agreementOutcome, agreementSettleMs } = application.settings;
  if (fault === null && agreementOutcome !== 'active') {
    const as = agreementOutcome === 'pending_then_active' ? 'active' : 'cancelled';
    return { at: new Date(now.getTime() + agreementSettleMs), as };
  }
  // Without a fee there is no payment whose outcome the settings of sales could decide.
  if (fault === null && !hasFee) return null;
  const { settles_at, settles_as } = decideSaleOutcome(application.settings, fault, now);
  if (settles_at === null) return null;
  return { at: settles_at, as: settles_as === 'denied' ? 'denied' : 'active' };
}
