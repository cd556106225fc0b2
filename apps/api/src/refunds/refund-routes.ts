import { refundRecords } from '#database/transitions';
import { RefundRows } from '../rows/refund-rows.js';
import { subjectControllers } from '../subject-routes/subject-controllers.js';
import { refundReviewAnswer, shownRefund } from './refund-answers.js';
import { RefundCommands } from './refund-commands.js';
import { refundDecisionRequest, refundListQuery } from './refund-requests.js';
import { viewRefund } from './refund-view.js';

export const refundControllers = subjectControllers({
  kind: 'refund',
  tag: 'Payments',
  rows: RefundRows,
  listQuery: refundListQuery,
  answer: shownRefund,
  view: (row, config) => viewRefund(row, row, config),
  summaries: { list: 'List refunds of all payments, newest first' },
  check: (checks, caller, id) => checks.refund(caller, id),
  hasTimeline: false,
  review: {
    answer: refundReviewAnswer,
    read: async (evidence, row) => {
      const { status, review } = await evidence.ofStep(refundRecords, row);
      return { refundId: row.id, state: status, ...review };
    },
  },
  decision: {
    request: refundDecisionRequest,
    commands: RefundCommands,
    resultId: 'RefundDecisionResult',
    summary: 'Decide whether a refund was made',
    canBeDeclined: false,
  },
});
