import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { IDENTIFIER } from '../http/identifiers.js';
import { checked } from '../http/validation.js';
import { answerOnce } from '../server/idempotency.js';
import { read } from '../server/reading.js';
import { createPlan } from './create-plan.js';
import { getPlan, listPlans, unknownPlan } from './find-plans.js';
import { planListQuery, planPatches, planRequest } from './plan-request.js';
import { updatePlan } from './update-plan.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/billing-plans';

export function addPlanRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.post(PATH, { config: { operation: 'plan.create' } }, (request, reply) => {
    const body = checked(planRequest, request.body);
    return answerOnce(context, 'plan.create', request, reply, (unit) => createPlan(context, unit, body));
  });

  api.get(PATH, { config: { operation: 'plan.list' } }, (request) => {
    const query = checked(planListQuery, request.query);
    return read(context, request, (database, clientId) => listPlans(database, links, clientId, query));
  });

  api.get<ById>(`${PATH}/:id`, { config: { operation: 'plan.get' } }, (request) => {
    const planId = checkedPlanId(request.params.id);
    return read(context, request, (database, clientId) => getPlan(database, links, clientId, planId));
  });

  api.patch<ById>(`${PATH}/:id`, { config: { operation: 'plan.update' } }, (request, reply) => {
    const planId = checkedPlanId(request.params.id);
    const patches = checked(planPatches, request.body);
    return answerOnce(context, 'plan.update', request, reply, (unit) =>
      updatePlan(context, unit, planId, patches),
    );
  });
}

/** @throws ApiError TEMPLATE_ID_INVALID for a path segment that cannot be the id of a plan. */
function checkedPlanId(segment: string): string {
  if (!IDENTIFIER.test(segment)) throw unknownPlan();
  return segment;
}
