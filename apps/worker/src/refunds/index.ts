import type { RefundActivities } from '#workflows/contract';
import type { ActivityContext } from '../context.js';
import { lookUpStep } from '../steps/look-up-step.js';
import { onlyAccepted } from '../steps/accepted-request.js';
import { recordStanding } from '../steps/record-event.js';
import { tellingOfRows } from '../steps/telling-of-rows.js';
import { lookForRefund } from './look-up-refund.js';
import { makeRefund } from './make-refund.js';
import { observeRefund } from './observe-refund.js';
import { type RefundWork, refundBooks, toldWithItsPayment } from './refund-books.js';
import { verifyRefundDecision } from './verify-refund-decision.js';

export function refundActivities(context: ActivityContext): RefundActivities {
  const work: RefundWork = { context, books: refundBooks };
  const told = toldWithItsPayment(context);
  return tellingOfRows(
    onlyAccepted(work, {
      makeRefund: told((input) => makeRefund(work, input)),
      lookUpRefund: async (input, hint) =>
        await told((named) =>
          lookUpStep(work, named, (_step, attempts) => lookForRefund(context, named, attempts, hint), hint),
        )(input),
      observeRefund: told((input) => observeRefund(work, input)),
      verifyRefundDecision: (input, decided) => verifyRefundDecision(work, input, decided),
      recordRefund: (input) => recordStanding(work, input),
    }),
  );
}
