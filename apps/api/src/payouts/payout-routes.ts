import { payoutRecords } from '#database/transitions';
import { PayoutRows } from '../rows/payout-rows.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { OrderPayout } from './order-payout.js';
import { payoutAnswer, payoutReviewAnswer } from './payout-answers.js';
import { PayoutCommands } from './payout-commands.js';
import { payoutDecisionRequest, payoutListQuery, payoutRequest } from './payout-requests.js';
import { viewPayout } from './payout-view.js';

export const payoutControllers = subjectControllers({
  kind: 'payout',
  tag: 'Payouts',
  rows: PayoutRows,
  listQuery: payoutListQuery,
  answer: payoutAnswer,
  view: viewPayout,
  summaries: { show: 'Show a payout with the totals of its items, now or at its next change' },
  order: {
    request: payoutRequest,
    orders: OrderPayout,
    isUnderWay: ({ status }) => status === 'creating',
    summary: 'Pay out to many receivers in one batch',
  },
  check: (checks, caller, id) => checks.payout(caller, id),
  hasTimeline: true,
  review: {
    answer: payoutReviewAnswer,
    read: async (evidence, row) => {
      const { status, review } = await evidence.ofStep(payoutRecords, row);
      return { payoutId: row.id, state: status, ...review };
    },
  },
  decision: {
    request: payoutDecisionRequest,
    commands: PayoutCommands,
    resultId: 'PayoutDecisionResult',
    summary: 'Decide the review of a payout',
    canBeDeclined: true,
  },
});
