import { findPayout } from '../../../../libs/database/src/payouts.js';
import type { PayoutIdentity } from '../../../../libs/workflows/src/contract/payout.js';
import { type PayoutState, isTerminal } from '../../../../libs/workflows/src/lifecycle/payout/payout.js';
import type { Position } from '../../../../libs/workflows/src/lifecycle/progress.js';
import type { ActivityContext } from '../context.js';

/** Nobody but a run under the same id writes these rows once a payout has ended, and the one that asks is the only one. */
export async function findEndedPayout(
  { db }: ActivityContext,
  identity: PayoutIdentity,
): Promise<Position<PayoutState>> {
  const payout = await findPayout(db, identity);
  if (!payout || !isTerminal(payout.status)) throw new Error('a payout that has ended has no such row');
  return { state: payout.state, version: payout.version };
}
