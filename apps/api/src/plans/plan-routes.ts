import type { Type } from '@nestjs/common';
import { PlanRows } from '../rows/plan-rows.js';
import { commandController } from '../subject-routes/command-controller.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { OrderPlan } from './order-plan.js';
import { planAnswer, viewPlan } from './plan-answers.js';
import { PlanCommands } from './plan-commands.js';
import { deactivateRequest, planListQuery, planOrderRequest } from './plan-requests.js';

const plans = { kind: 'plan', tag: 'Plans', answer: planAnswer, view: viewPlan } as const;

export const planControllers: Type[] = [
  ...subjectControllers({
    ...plans,
    rows: PlanRows,
    listQuery: planListQuery,
    order: {
      request: planOrderRequest,
      orders: OrderPlan,
      isUnderWay: ({ status }) => status === 'creating' || status === 'activating',
      summary: 'Create a plan, or find the equal one that exists',
      description: 'Equal terms are one plan, which is created and activated once.',
    },
    check: (checks, caller, id) => checks.plan(caller, id),
    hasTimeline: false,
  }),
  commandController(plans, {
    name: 'deactivate',
    summary: 'Deactivate a plan: it takes no further subscriptions',
    request: deactivateRequest,
    commands: PlanCommands,
    send: (commands, caller, { id, idempotencyKey }) => commands.deactivate(caller, id, idempotencyKey),
  }),
];
