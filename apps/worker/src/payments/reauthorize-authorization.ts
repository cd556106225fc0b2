import { type StepInput, type StepOutcome, paymentSubject } from '#workflows/contract';
import { formatMoney } from '#workflows/lifecycle';
import { lookLimit } from '../provider/provider-clients.js';
import { renewalOf } from '../provider/provider-facts.js';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import { NotSentError } from '../steps/error-mapping.js';
import type { PaymentWork } from './payment-books.js';
import { readBeforeSending } from '../steps/read-before-sending.js';

/**
 * Reauthorizes the rest of the funds, at the end of the honour period. The provider does not know a repeat by its key
 * here (provider-facts), and may keep id, amount and window as they were; so the attempt's row keeps when the hold was
 * last changed before it was sent, which tells a lost answer from a lost request.
 */
export async function reauthorizeAuthorization(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const openStep = requireOpenStep(input.state);
  const { step } = openStep;
  const { authorization, order } = input.state;
  if (step.type !== 'reauthorizeAuthorization' || !authorization) throw new Error('nothing to reauthorize');
  const { currency } = order.amount;
  const { authorizationId } = authorization;
  const seenUpdatedAt = await lastChangeOf(work, input, authorizationId);
  const looked = { ...step, ...(seenUpdatedAt !== undefined && { seenUpdatedAt }) };
  const state = { ...input.state, openStep: { ...openStep, step: looked } };
  return await attemptStep(work, { ...input, state }, async ({ requestId }) => {
    // An unknown outcome could not be told by a look: then rather later.
    if (seenUpdatedAt === undefined) throw new NotSentError('the hold could not be read');
    const { authorizations } = work.context.providers.for(input.identity);
    const amount = { value: formatMoney({ minor: step.minor, currency }), currency };
    const renewed = await authorizations.reauthorize(authorizationId, { amount }, { requestId });
    return renewalOf(renewed, authorizationId, currency);
  });
}

/**
 * When the hold was last changed, by the provider's clock. Undefined for a hold that cannot be read, and for one that
 * does not tell: every hold does (specification 2.4), so an answer without it is not a whole one.
 */
async function lastChangeOf(
  { context }: PaymentWork,
  { identity }: StepInput,
  authorizationId: string,
): Promise<number | undefined> {
  const { authorizations } = context.providers.for(identity);
  const hold = await readBeforeSending(context, paymentSubject(identity), () =>
    authorizations.get(authorizationId, { signal: lookLimit() }),
  );
  return hold?.updateTime === undefined ? undefined : Date.parse(hold.updateTime);
}
