import type { CodecKeys } from '#payload-codec';
import type { PayoutActivities } from '#workflows/contract';
import type { ActivityContext } from '../steps/activities/context.js';
import { onlyAccepted } from '../steps/activities/accepted-request.js';
import { recordTransitionWithoutCall } from '../steps/activities/record-event.js';
import { refusedWritesAsResults } from '../steps/activities/refused-writes-as-results.js';
import { cancelPayoutItem, lookUpCancellation } from './cancel-payout-item.js';
import { createPayout } from './create-payout.js';
import { findEnded } from '../steps/activities/find-ended.js';
import { observePayout } from './observe-payout.js';
import { type PayoutWork, payoutWriter } from './payout-writer.js';
import { verifyPayoutDecision } from './verify-payout-decision.js';

/** @param codecKeys decrypt the receivers and texts of a payout. */
export function payoutActivities(context: ActivityContext, codecKeys: CodecKeys): PayoutActivities {
  const work: PayoutWork = { context, writer: payoutWriter };
  return refusedWritesAsResults(
    onlyAccepted(work, {
      findEndedPayout: (identity) => findEnded(work, identity),
      createPayout: (input) => createPayout(work, codecKeys, input),
      cancelPayoutItem: (input) => cancelPayoutItem(work, input),
      lookUpCancellation: (input, hint) => lookUpCancellation(work, input, hint),
      observePayout: (input, items) => observePayout(work, input, items),
      verifyPayoutDecision: (input, decided) => verifyPayoutDecision(work, input, decided),
      recordPayout: (input) => recordTransitionWithoutCall(work, input),
    }),
  );
}
