import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { recordEvent } from '../events/record-event.js';
import { ApiError } from '../http/api-error.js';
import { newPlanId } from '../http/identifiers.js';
import type { Answer } from '../server/idempotency.js';
import { describePlan } from './plan-representation.js';
import type { PlanRequest } from './plan-request.js';
import { readTerms } from './plan-terms.js';

/** Creates a plan (interface, section 2.5). Agreements can be made once it is activated. */
export async function createPlan(
  context: SandboxContext,
  { transaction, now, application }: UnitOfWork,
  request: PlanRequest,
): Promise<Answer> {
  const { terms, details } = readTerms(request);
  if (details.length > 0) throw new ApiError('VALIDATION_ERROR', details);
  const plan = await transaction
    .insertInto('billing_plans')
    .values({
      id: newPlanId(),
      client_id: application.clientId,
      payee_id: application.accountId,
      state: 'CREATED',
      terms: JSON.stringify(terms),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const body = describePlan(plan, context.links);
  await recordEvent(transaction, {
    type: 'BILLING.PLAN.CREATED',
    clientId: plan.client_id,
    resourceId: plan.id,
    resource: body,
    now,
  });
  return { status: 201, body };
}
