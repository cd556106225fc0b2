import type { AgreementState } from '../database/tables.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { ApiError, type ErrorName } from '../http/api-error.js';
import type { Answer } from '../http/idempotency.js';
import type { SandboxContext } from '../sandbox-context.js';
import { lockOwnAgreement, recordHistory, saveStanding } from './agreement-rows.js';
import { reactivated, withNextBilling } from './agreement-standing.js';
import { tellAgreement, tellEndOfBilling } from './tell-agreement.js';

const DONE: Answer = { status: 204, body: null };

/** Stops the cycles until the agreement is re-activated. */
export async function suspendAgreement(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
): Promise<Answer> {
  return endBilling(context, unit, agreementId, 'Suspended', ['Active'], 'INVALID_STATUS_TO_SUSPEND');
}

export async function cancelAgreement(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
): Promise<Answer> {
  const from: AgreementState[] = ['Active', 'Suspended'];
  return endBilling(context, unit, agreementId, 'Cancelled', from, 'RP_INVALID_STATUS_TO_CANCEL');
}

/** Goes on with the next cycle whose date has not passed; what passed while it was suspended is put off. */
export async function reactivateAgreement(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
): Promise<Answer> {
  const { transaction, now } = unit;
  const agreement = await lockOwnAgreement(unit, agreementId);
  if (agreement.state !== 'Suspended') throw new ApiError('INVALID_STATUS_TO_REACTIVATE');
  const updated = await saveStanding(transaction, agreement, reactivated(agreement, now), now);
  await recordHistory(transaction, updated, 'Reactivated', now);
  await tellAgreement(transaction, 'BILLING.SUBSCRIPTION.RE-ACTIVATED', updated, context.links, now);
  return DONE;
}

async function endBilling(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
  state: AgreementState,
  from: readonly AgreementState[],
  refusal: ErrorName,
): Promise<Answer> {
  const { transaction, now } = unit;
  const agreement = await lockOwnAgreement(unit, agreementId);
  if (agreement.state === null || !from.includes(agreement.state)) throw new ApiError(refusal);
  const updated = await saveStanding(transaction, agreement, withNextBilling(agreement, state), now);
  await tellEndOfBilling(transaction, agreement.state, updated, context.links, now);
  return DONE;
}
