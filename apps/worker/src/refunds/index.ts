import type { RefundActivities } from '#workflows/contract';
import type { ActivityContext } from '../steps/activities/context.js';
import { lookUpStep } from '../steps/lookups/look-up-step.js';
import { onlyAccepted } from '../steps/activities/accepted-request.js';
import { recordTransitionWithoutCall } from '../steps/activities/record-event.js';
import { refusedWritesAsResults } from '../steps/activities/refused-writes-as-results.js';
import { lookUpRefundRequest } from './look-up-refund-request.js';
import { makeRefund } from './make-refund.js';
import { observeRefund } from './observe-refund.js';
import { type RefundWork, refundWriter, announcingPayment } from './refund-writer.js';
import { verifyRefundDecision } from './verify-refund-decision.js';

export function refundActivities(context: ActivityContext): RefundActivities {
  const work: RefundWork = { context, writer: refundWriter };
  const announcing = announcingPayment(context);
  return refusedWritesAsResults(
    onlyAccepted(work, {
      makeRefund: announcing((input) => makeRefund(work, input)),
      lookUpRefund: async (input, hint) =>
        await announcing((named) =>
          lookUpStep(
            work,
            named,
            (_step, attempts) => lookUpRefundRequest(context, named, attempts, hint),
            hint,
          ),
        )(input),
      observeRefund: announcing((input) => observeRefund(work, input)),
      verifyRefundDecision: (input, decided) => verifyRefundDecision(work, input, decided),
      recordRefund: (input) => recordTransitionWithoutCall(work, input),
    }),
  );
}
