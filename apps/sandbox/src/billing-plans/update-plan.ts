import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { recordEvent } from '../events/record-event.js';
import { ApiError } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import { unknownPlan } from './find-plans.js';
import { describePlan } from './plan-representation.js';
import type { PlanPatch } from './plan-request.js';
import { eventOfChange, mayBecome } from './plan-states.js';
import { patchTerms } from './plan-terms.js';

/** Applies all patches or none. Earlier agreements keep the terms that their payers approved. */
export async function updatePlan(
  context: SandboxContext,
  { transaction, now, application }: UnitOfWork,
  planId: string,
  patches: readonly PlanPatch[],
): Promise<Answer> {
  const plan = await transaction
    .selectFrom('billing_plans')
    .selectAll()
    .where('id', '=', planId)
    .where('client_id', '=', application.clientId)
    .forUpdate()
    .executeTakeFirst();
  if (plan === undefined) throw unknownPlan();

  let { terms, state } = plan;
  for (const [index, patch] of patches.entries()) {
    const next = patch.of === 'plan' ? (patch.changes.state ?? state) : state;
    if (state === 'DELETED' || !mayBecome(state, next)) {
      throw ApiError.invalid('state', `A plan that is ${state} cannot become ${next}`);
    }
    state = next;
    const reading = patchTerms(terms, patch, `[${index}].value`);
    if (reading.details.length > 0) throw new ApiError('VALIDATION_ERROR', reading.details);
    terms = reading.terms;
  }
  const isUnchanged = state === plan.state && JSON.stringify(terms) === JSON.stringify(plan.terms);
  if (isUnchanged) return { status: 200, body: null };

  const updated = await transaction
    .updateTable('billing_plans')
    .set({ state, terms: JSON.stringify(terms), updated_at: now })
    .where('id', '=', planId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordEvent(transaction, {
    type: eventOfChange(plan.state, state),
    clientId: plan.client_id,
    resourceId: planId,
    resource: describePlan(updated, context.links),
    now,
  });
  return { status: 200, body: null };
}
