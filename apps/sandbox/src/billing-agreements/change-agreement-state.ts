import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AgreementState } from '../database/tables.js';
import { ApiError, type ErrorName } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import { lockOwnAgreement, recordHistory, saveStanding } from './agreement-rows.js';
import { reactivated, withNextBilling } from './agreement-standing.js';
import { recordAgreementEvent, recordEndOfBilling } from './agreement-events.js';

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

/** Continues with the next cycle whose date has not passed; cycles that passed during the suspension are postponed. */
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
  await recordAgreementEvent(transaction, 'BILLING.SUBSCRIPTION.RE-ACTIVATED', updated, context.links, now);
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
  await recordEndOfBilling(transaction, agreement.state, updated, context.links, now);
  return DONE;
}
