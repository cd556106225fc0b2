import type { Owner } from '#database/schema';
import { type UnknownAmount, findUnknownAmounts, noteAmountAsked } from '#database/reconciliation';
import { refundRunAfterEnd } from '#runs';
import type { RefundMessage } from '#workflows/contract';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { readReversal } from '../provider/refund-facts.js';
import { mapConcurrently } from './map-concurrently.js';

const askedAtOnce = 20;
const longestWaitMs = 86_400_000;
const concurrency = 4;

/**
 * Asks for the amount of chargebacks that ended without one: what partial chargebacks have taken is known only once
 * everything has gone back. If it is known now, a run reads it again and writes it.
 */
export async function askForAmounts(context: MaintenanceContext, owner: Owner): Promise<void> {
  const { db, reconciliation } = context;
  const unknown = await findUnknownAmounts(db, owner, {
    firstWaitMs: reconciliation.overlapMs,
    longestWaitMs,
    limit: askedAtOnce,
  });
  const { failed } = await mapConcurrently(concurrency, unknown, async (reversal) => {
    if (await isShownNow(context, owner, reversal)) await haveItRead(context, owner, reversal);
    await noteAmountAsked(db, reversal.id);
  });
  if (failed[0]) throw failed[0].error;
}

async function isShownNow(
  { providers }: MaintenanceContext,
  owner: Owner,
  { state: { claim } }: UnknownAmount,
): Promise<boolean> {
  if (claim.kind !== 'reversal') return false;
  try {
    const shown = await readReversal(providers.for(owner), claim.collected);
    return shown !== 'missing' && shown.facts.chargedBack !== undefined;
  } catch (error) {
    if (isProviderTrouble(error)) return false;
    throw error;
  }
}

async function haveItRead(
  { runs }: MaintenanceContext,
  { environment, application }: Owner,
  { id: refundId, state, version }: UnknownAmount,
): Promise<void> {
  const identity = { environment, application, refundId };
  const event = { type: 'refundNotified', eventType: 'RECONCILIATION', isForAmount: true } as const;
  const message: RefundMessage = { id: `amount:${version}`, event };
  await runs.startAgainWithMessage(refundRunAfterEnd(identity, { state, version }, message), message);
}
