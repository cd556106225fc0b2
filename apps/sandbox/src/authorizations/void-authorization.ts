import { bookRelease } from '../books/payment-movements.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import { describeAuthorization } from './authorization-representation.js';
import { lockAuthorization, saveChange } from './authorization-rows.js';
import { voidHolding } from './held-money.js';
import { recordAuthorizationEvent } from './authorization-events.js';

/** Returns to the payer what is held and not captured. */
export async function voidAuthorization(
  context: SandboxContext,
  unit: UnitOfWork,
  authorizationId: string,
): Promise<Answer> {
  const locked = await lockAuthorization(unit.transaction, authorizationId, unit.application.clientId);
  if (locked === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const { authorization, payment } = locked;
  const change = voidHolding(authorization, unit.now);
  if ('refusal' in change) throw new ApiError(change.refusal);

  const voided = await saveChange(unit.transaction, authorization.id, change, unit.now);
  await bookRelease(unit, payment, authorization.id, change.releasedMinor);
  await recordAuthorizationEvent(unit.transaction, voided, payment, 'voided', context.links, unit.now);
  return { status: 200, body: describeAuthorization(voided, payment, context.links, unit.now) };
}
