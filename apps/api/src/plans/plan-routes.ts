import { PlanRows } from '../rows/plan-rows.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { OrderPlan } from './order-plan.js';
import { planAnswer, viewPlan } from './plan-answers.js';
import { planListQuery, planOrderRequest } from './plan-requests.js';

export const planControllers = subjectControllers({
  kind: 'plan',
  tag: 'Plans',
  rows: PlanRows,
  listQuery: planListQuery,
  answer: planAnswer,
  view: viewPlan,
  order: {
    request: planOrderRequest,
    orders: OrderPlan,
    isUnderWay: ({ status }) => status === 'creating' || status === 'activating',
    summary: 'Create a plan, or find the equal one that exists',
    description: 'Equal terms are one plan, which is created and activated once.',
  },
  check: (checks, caller, id) => checks.plan(caller, id),
  hasTimeline: false,
});
