import type { StepInput, StepOutcome } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { type ReauthorizeStep, isKnown } from '#workflows/lifecycle/payment';
import { requireUndoubted } from '../provider/doubtful-hold.js';
import { UnreadableAnswerError, reauthorizationOf } from '../provider/provider-facts.js';
import type { AttemptIdentity } from '../steps/attempts/attempt-identity.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { remembered } from '../steps/attempts/first-sent-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import { NotSentError } from '../steps/attempts/error-mapping.js';
import { readWholeFacts } from './look-up-money-step.js';
import type { PaymentWork } from './payment-writer.js';
import { readBeforeFirstSending } from '../steps/attempts/read-before-sending.js';

/**
 * Reauthorizes the rest of the funds, at the end of the honour period. The provider does not deduplicate this call by
 * its key (provider-facts) and may keep id, amount and window unchanged. So the attempt's row stores the
 * authorization's last change before the call, which distinguishes a lost answer from a lost request.
 */
export async function reauthorizeAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { step, since } = requireOpenStep(input.state);
  const { authorization, order, providerPaymentId } = input.state;
  if (step.type !== 'reauthorizeAuthorization' || !authorization) throw new Error('nothing to reauthorize');
  const { currency } = order.amount;
  const { authorizationId } = authorization;
  const seen = await lastChangeOf(work, input, authorizationId);
  const send = async ({ requestId }: AttemptIdentity) => {
    // Without it a lookup could not find out an unknown outcome: try later.
    if (seen === undefined || seen === 'unreadable') throw new NotSentError('the hold could not be read');
    if (seen === 'outdated') return outdated;
    const client = work.context.providers.for(input.identity);
    const amount = { value: formatMoney({ minor: step.minor, currency }), currency };
    const reauthorized = await client.authorizations.reauthorize(authorizationId, { amount }, { requestId });
    // The authorization may be another one, but only of this payment: captures follow it.
    const { id, paymentId = id === authorizationId ? providerPaymentId : undefined } = reauthorized;
    if (paymentId !== providerPaymentId) throw new UnreadableAnswerError();
    const event = reauthorizationOf(reauthorized, authorization, currency);
    return requireUndoubted(client, { since: new Date(since), authorization }, event);
  };
  return await attemptStep(work, input, send, remembered(seen === 'outdated' ? 'unreadable' : seen));
}

const outdated = {
  type: 'stepDeclined',
  reason:
    'Somebody else has captured of the hold since, so nothing was sent. What is left can be reauthorized.',
  isOutdated: true,
} as const;

/**
 * When the authorization last changed, by the provider's clock. A read that lags does not show our own captures of it yet:
 * their change of the hold would be taken for the reauthorization. An answer without the instant is incomplete: every
 * authorization has one (specification 2.4).
 */
async function lastChangeOf(
  work: PaymentWork,
  input: StepInput,
  authorizationId: string,
): Promise<Required<Pick<ReauthorizeStep, 'seenUpdatedAt'>> | 'unreadable' | 'outdated' | undefined> {
  return await readBeforeFirstSending(work, input, async () => {
    const { state } = input;
    const { authorization, captures } = await readWholeFacts(
      work.context.providers.for(input.identity),
      state,
    );
    if (authorization?.authorizationId !== authorizationId) throw new UnreadableAnswerError();
    const { changedAt } = authorization;
    // The amount of the step does not count it: more than was ordered could be captured in all.
    if (!captures.every((capture) => isKnown(state, capture))) return 'outdated';
    return changedAt === undefined ? undefined : { seenUpdatedAt: changedAt };
  });
}
