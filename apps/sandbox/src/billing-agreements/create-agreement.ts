import { unknownPlan } from '../billing-plans/find-plans.js';
import { overrideCharges, overridePreferences } from '../billing-plans/plan-terms.js';
import { dayLengthOf, type SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PlanTerms } from '../database/tables.js';
import { ApiError, type ErrorDetail } from '../http/api-error.js';
import { newApprovalToken } from '../http/identifiers.js';
import type { Answer } from '../server/idempotency.js';
import { describeNewAgreement } from './agreement-representation.js';
import type { AgreementRequest } from './agreement-request.js';

/** Creates an agreement that waits for its payer: it has a token, and gets its id when it is executed. */
export async function createAgreement(
  context: SandboxContext,
  { transaction, now, application }: UnitOfWork,
  request: AgreementRequest,
): Promise<Answer> {
  const plan = await transaction
    .selectFrom('billing_plans')
    .selectAll()
    .where('id', '=', request.plan.id)
    .where('client_id', '=', application.clientId)
    // A plan that is deactivated at this moment gets no agreement afterwards.
    .forShare()
    .executeTakeFirst();
  if (plan === undefined) throw unknownPlan();
  if (plan.state !== 'ACTIVE') throw ApiError.invalid('plan.id', `The plan is ${plan.state}, not ACTIVE`);
  if (request.start_date <= now) throw ApiError.invalid('start_date', 'Must be in the future');

  const agreement = await transaction
    .insertInto('billing_agreements')
    .values({
      token: newApprovalToken(),
      id: null,
      client_id: application.clientId,
      plan_id: plan.id,
      terms: JSON.stringify(termsOf(plan.terms, request)),
      state: null,
      name: request.name,
      description: request.description,
      start_at: request.start_date,
      payment_method: request.payer.payment_method,
      shipping_address: request.shipping_address ? JSON.stringify(request.shipping_address) : null,
      payer_id: null,
      payer_info: null,
      payee_id: application.accountId,
      day_length_ms: dayLengthOf(application.settings, context.defaults),
      outstanding_minor: 0,
      cycles_done: 0,
      trial_slots_skipped: 0,
      regular_slots_skipped: 0,
      failed_payments: 0,
      last_payment_minor: null,
      settles_as: null,
      expires_at: new Date(now.getTime() + application.settings.approvalWindowMs),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { status: 201, body: describeNewAgreement(agreement, context.links) };
}

function termsOf(plan: PlanTerms, request: AgreementRequest): PlanTerms {
  const { override_merchant_preferences: preferences, override_charge_models: charges } = request;
  const details: ErrorDetail[] = [];
  const withPreferences = preferences === undefined ? plan : overridePreferences(plan, preferences, details);
  const terms = charges === undefined ? withPreferences : overrideCharges(withPreferences, charges, details);
  if (details.length > 0) throw new ApiError('VALIDATION_ERROR', details);
  return terms;
}
