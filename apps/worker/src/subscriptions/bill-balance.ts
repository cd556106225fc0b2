import type { AttemptRow } from '#database/schema';
import { NotFoundError, type PaymentsClient, type Sale } from '#payments-client';
import type { SubscriptionStepInput, SubscriptionStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import {
  type BalanceBilling,
  type SeenBalance,
  type SubscriptionEvent,
  type SubscriptionState,
  billingShown,
} from '#workflows/lifecycle/subscription';
import { readBalanceAfter, readBalanceBefore } from '../provider/agreement-balance.js';
import { minorOf } from '../provider/agreement-facts.js';
import { type ProviderTime, isMadeBefore } from '../provider/clock-skew.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { secondOf } from '../provider/unconfirmed-payments.js';
import type { AttemptIdentity } from '../steps/attempts/attempt-identity.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { NotSentError } from '../steps/attempts/error-mapping.js';
import { firstSentStep, remembered } from '../steps/attempts/first-sent-step.js';
import { readBeforeFirstSending } from '../steps/attempts/read-before-sending.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import type { LookupResult } from '../steps/lookups/look-up-step.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import type { SubscriptionWork } from './subscription-writer.js';

/**
 * Collects what is outstanding, or a part of it. The call takes no reference of ours and has no key (provider-facts). So
 * the attempt's row stores what the provider showed before it, which distinguishes a lost answer from a lost request.
 */
export async function billBalance(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { agreementId, order } = input.state;
  if (step.type !== 'billBalance' || agreementId === undefined) throw new Error('nothing to bill');
  const { currency } = order;
  const seen = await balanceBefore(work, input, { ...step, agreementId });
  const send = async ({ requestId }: AttemptIdentity) => {
    // Without it a lookup could not find out an unknown outcome: try later.
    if (seen === undefined || seen === 'unreadable') throw new NotSentError('the balance could not be read');
    const { agreements } = work.context.providers.for(input.identity);
    const amount = { value: formatMoney({ minor: step.minor, currency }), currency };
    await agreements.billBalance(agreementId, { note: step.note, amount }, { requestId });
    return { type: 'balanceBilled' } as const;
  };
  return await attemptStep(work, input, send, remembered(seen));
}

async function balanceBefore(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  { agreementId, minor }: { readonly agreementId: string; readonly minor: number },
): Promise<{ readonly seen: SeenBalance } | 'unreadable' | undefined> {
  const { currency, patience } = input.state.order;
  const client = work.context.providers.for(input.identity);
  const since = Date.now() - patience.outcomeHorizonMs;
  return await readBeforeFirstSending(work, input, async () => ({
    seen: await readBalanceBefore(client, input.state, { agreementId, minor, currency, since }),
  }));
}

/** Looks up whether the balance was billed. Reads are compared with what was seen before the first call. */
export async function lookUpBilling(
  client: PaymentsClient,
  state: SubscriptionState,
  step: BalanceBilling,
  attempts: readonly AttemptRow[],
): Promise<LookupResult<SubscriptionEvent>> {
  const first = firstSentStep<BalanceBilling>(attempts);
  if (!first) return 'absent';
  const { seen } = first;
  if (!seen) return 'unreadable';
  const shown = await readBalanceAfter(client, {
    agreementId: state.agreementId ?? '',
    minor: step.minor,
    currency: state.order.currency,
    since: seen.since,
  });
  return billingShown(state, seen, shown);
}

/** What an operator names as the payment that was collected. */
export async function findBilledSale(
  client: PaymentsClient,
  { agreementId, order: { currency } }: SubscriptionState,
  { minor }: BalanceBilling,
  id: string,
  attempts: readonly AttemptRow[],
): Promise<NamedResource<SubscriptionEvent>> {
  try {
    const sale = await client.sales.get(id, { signal: lookLimit() });
    if (sale.agreementId !== agreementId)
      return { kind: 'another', reason: 'That sale is not of this agreement.' };
    if (sale.amount.currency !== currency || minorOf(sale.amount, currency) !== minor)
      return { kind: 'another', reason: 'That sale is of another amount.' };
    if (isFromBefore(sale, attempts, client))
      return { kind: 'another', reason: 'That sale was there before the balance was billed.' };
    return { kind: 'found', event: { type: 'balanceBilled' } };
  } catch (error) {
    if (error instanceof NotFoundError)
      return { kind: 'another', reason: 'The provider does not know that sale.' };
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}

/**
 * By our clock, which may differ from the provider's, and by what the provider showed before the first call: a list that
 * lagged may lack a sale that is older than the agreement's change.
 */
function isFromBefore(sale: Sale, attempts: readonly AttemptRow[], time: ProviderTime): boolean {
  const { seen } = firstSentStep<BalanceBilling>(attempts) ?? {};
  if (seen?.saleIds.includes(sale.id) || isMadeBefore(time, attempts[0]?.begun_at, sale)) return true;
  return secondOf(Date.parse(sale.createTime ?? '')) < secondOf(seen?.updatedAt ?? -Infinity);
}
