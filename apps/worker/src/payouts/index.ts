import type { CodecKeys } from '#payload-codec';
import type { PayoutActivities } from '#workflows/contract';
import type { ActivityContext } from '../context.js';
import { onlyAccepted } from '../steps/accepted-request.js';
import { recordStanding } from '../steps/record-event.js';
import { tellingOfRows } from '../steps/telling-of-rows.js';
import { cancelPayoutItem, lookUpCancellation } from './cancel-payout-item.js';
import { createPayout } from './create-payout.js';
import { findEnded } from '../steps/find-ended.js';
import { observePayout } from './observe-payout.js';
import { type PayoutWork, payoutBooks } from './payout-books.js';
import { verifyPayoutDecision } from './verify-payout-decision.js';

/** @param codecKeys open what is sent to the receivers. */
export function payoutActivities(context: ActivityContext, codecKeys: CodecKeys): PayoutActivities {
  const work: PayoutWork = { context, books: payoutBooks };
  return tellingOfRows(
    onlyAccepted(work, {
      findEndedPayout: (identity) => findEnded(work, identity),
      createPayout: (input) => createPayout(work, codecKeys, input),
      cancelPayoutItem: (input) => cancelPayoutItem(work, input),
      lookUpCancellation: (input, hint) => lookUpCancellation(work, input, hint),
      observePayout: (input, items) => observePayout(work, input, items),
      verifyPayoutDecision: (input, decided) => verifyPayoutDecision(work, input, decided),
      recordPayout: (input) => recordStanding(work, input),
    }),
  );
}
