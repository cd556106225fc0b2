import type { AttemptRow } from '#database/schema';
import type { PaymentsClient } from '#payments-client';
import type { SubscriptionStepInput, SubscriptionStepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import {
  type BalanceSetting,
  type SubscriptionEvent,
  type SubscriptionState,
  isBalanceReached,
  isOlder,
  settingShown,
} from '#workflows/lifecycle/subscription';
import { readWholeFacts } from '../provider/agreement-balance.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import type { AttemptIdentity } from '../steps/attempts/attempt-identity.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { NotSentError } from '../steps/attempts/error-mapping.js';
import { firstSentStep, remembered } from '../steps/attempts/first-sent-step.js';
import { readBeforeFirstSending } from '../steps/attempts/read-before-sending.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import type { LookupResult } from '../steps/lookups/look-up-step.js';
import type { SubscriptionWork } from './subscription-writer.js';

const nothingAbove = 'Nothing above that balance is outstanding any more.';

/**
 * Forgives what is outstanding above a balance. Sent twice, it would also forgive what a cycle has left owed in between.
 * So it is a step like the billing, compared with what the provider showed before it.
 */
export async function setBalance(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { agreementId, order } = input.state;
  if (step.type !== 'setBalance' || agreementId === undefined) throw new Error('nothing to set');
  const { currency } = order;
  const read = await balanceBefore(work, input, agreementId);
  const send = async ({ requestId }: AttemptIdentity) => {
    // Without it a lookup could not find out an unknown outcome: try later.
    if (read === undefined || read === 'unreadable') throw new NotSentError('the balance could not be read');
    // A lookup could not distinguish the balance that was set from the one that was there.
    if (isBalanceReached({ ...step, ...read }))
      return { type: 'stepDeclined', reason: nothingAbove } as const;
    const { agreements } = work.context.providers.for(input.identity);
    const balance = { value: formatMoney({ minor: step.minor, currency }), currency };
    await agreements.setBalance(agreementId, { balance }, { requestId });
    return { type: 'balanceSet' } as const;
  };
  return await attemptStep(work, input, send, remembered(read));
}

async function balanceBefore(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  agreementId: string,
): Promise<Required<Pick<BalanceSetting, 'seen'>> | 'unreadable' | undefined> {
  const client = work.context.providers.for(input.identity);
  const { currency } = input.state.order;
  return await readBeforeFirstSending(work, input, async () => {
    const facts = await readWholeFacts(client, { agreementId, currency });
    // It may show less than is owed by now, and the setting would be refused.
    if (isOlder(input.state, facts)) throw new UnreadableAnswerError();
    const { outstandingMinor, cyclesCompleted, updatedAt } = facts.billing;
    return { seen: { outstandingMinor, cyclesCompleted, ...(updatedAt !== undefined && { updatedAt }) } };
  });
}

/** Looks up whether the balance was set. */
export async function lookUpSetting(
  client: PaymentsClient,
  state: SubscriptionState,
  { minor }: BalanceSetting,
  attempts: readonly AttemptRow[],
): Promise<LookupResult<SubscriptionEvent>> {
  const { agreementId = '', order } = state;
  const first = firstSentStep<BalanceSetting>(attempts.filter(mayBeSent(minor)));
  if (!first) return 'absent';
  const facts = await readWholeFacts(client, { agreementId, currency: order.currency });
  return settingShown(state, { ...first, minor }, facts);
}

/** One that found nothing above the balance is not sent; what was seen before it says nothing about a later one. */
function mayBeSent(minor: number): (attempt: AttemptRow) => boolean {
  return ({ step }) => {
    const { seen } = step as Partial<BalanceSetting>;
    return !seen || !isBalanceReached({ minor, seen });
  };
}
