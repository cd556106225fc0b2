import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import type { AgreementChanges } from './agreement-request.js';
import { lockOwnAgreement, recordHistory, saveStanding, type ExecutedAgreement } from './agreement-rows.js';
import { withNextBilling } from './agreement-standing.js';
import { recordAgreementEvent } from './agreement-events.js';

/**
 * Applies all patches or none. Billed cycles do not change: the start can move only until the first cycle falls due.
 */
export async function updateAgreement(
  context: SandboxContext,
  unit: UnitOfWork,
  agreementId: string,
  patches: readonly AgreementChanges[],
): Promise<Answer> {
  const { transaction, now } = unit;
  const agreement = await lockOwnAgreement(unit, agreementId);
  if (agreement.state === 'Cancelled' || agreement.state === 'Expired') {
    throw new ApiError('UNPROCESSABLE_ENTITY', [
      { field: 'state', issue: `The agreement is ${agreement.state}` },
    ]);
  }
  let changed = agreement;
  for (const [index, changes] of patches.entries()) changed = withChanges(changed, changes, index, now);
  await transaction
    .updateTable('billing_agreements')
    .set({
      name: changed.name,
      description: changed.description,
      start_at: changed.start_at,
      payment_method: changed.payment_method,
      shipping_address: changed.shipping_address && JSON.stringify(changed.shipping_address),
    })
    .where('token', '=', changed.token)
    .execute();
  const standing = withNextBilling(changed, changed.state);
  const updated = await saveStanding(transaction, changed, standing, now);
  await recordHistory(transaction, updated, 'Updated', now);
  await recordAgreementEvent(transaction, 'BILLING.SUBSCRIPTION.UPDATED', updated, context.links, now);
  return { status: 200, body: null };
}

function withChanges(
  agreement: ExecutedAgreement,
  changes: AgreementChanges,
  index: number,
  now: Date,
): ExecutedAgreement {
  const { start_date } = changes;
  const isMoved = start_date !== undefined && start_date.getTime() !== agreement.start_at.getTime();
  if (isMoved) {
    const field = `[${index}].value.start_date`;
    if (start_date <= now) throw ApiError.invalid(field, 'Must be in the future');
    if (agreement.start_at <= now) throw ApiError.invalid(field, 'The agreement has started');
  }
  return {
    ...agreement,
    name: changes.name ?? agreement.name,
    description: changes.description ?? agreement.description,
    start_at: start_date ?? agreement.start_at,
    payment_method: changes.payer?.payment_method ?? agreement.payment_method,
    shipping_address: changes.shipping_address ?? agreement.shipping_address,
  };
}
