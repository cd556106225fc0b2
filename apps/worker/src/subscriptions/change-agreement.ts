import type { Database } from '#database/connection';
import { findSubjectsOfResources, hasPayerCancelled } from '#database/subjects';
import type { Agreement, PaymentsClient } from '#payments-client';
import {
  type Offer,
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
} from '#workflows/contract';
import { type StateChange, isStateChange, isTooLate } from '#workflows/lifecycle/subscription';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { isReturnTo, isReturnToAnother } from '../provider/return-address.js';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import type { AttemptIdentity } from '../steps/attempts/attempt-identity.js';
import { attemptStep } from '../steps/attempts/attempt-step.js';
import { requireOpenStep } from '../steps/attempts/step-record.js';
import type { SubscriptionWork } from './subscription-writer.js';
import { readBeforeSending } from '../steps/attempts/read-before-sending.js';

const addressLost =
  'The agreement was not created, and its shipping address was lost with the run that knew it: order it again.';

/** Creates an agreement for the payer's approval (specification 2.6). Nothing is billed before its execution. */
export async function createAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  { name, description, returnUrl, cancelUrl, shippingAddress }: Offer,
): Promise<SubscriptionStepOutcome> {
  const { order } = input.state;
  return await attemptStep(work, input, async ({ requestId }) => {
    if (order.hasShippingAddress && !shippingAddress) return { type: 'stepDeclined', reason: addressLost };
    const agreement = await work.context.providers.for(input.identity).agreements.create(
      {
        name,
        description,
        planId: order.providerPlanId,
        startDate: new Date(order.startAt).toISOString(),
        shippingAddress,
        merchantPreferences: { returnUrl, cancelUrl },
      },
      { requestId },
    );
    requireOurs(agreement, returnUrl);
    const { token, approvalUrl } = agreement;
    return { type: 'agreementCreated', token, approvalUrl };
  });
}

/** Executes the approved agreement: from then on it is billed, and its setup fee is collected. */
export async function executeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  { returnUrl }: Offer,
): Promise<SubscriptionStepOutcome> {
  const { token, order } = input.state;
  if (token === undefined) throw new Error('nothing to execute');
  return await attemptStep(work, input, async ({ requestId }) => {
    // Checked again: the run may have decided long ago, because a worker was overloaded or replaced.
    if (isTooLate(order, Date.now()) || (await hasCancelled(work, input))) {
      return { type: 'approvalFoundMissing' };
    }
    const { agreements } = work.context.providers.for(input.identity);
    const agreement = await agreements.execute(token, { requestId, notRepeatedFrom: order.executeBefore });
    requireOurs(agreement, returnUrl);
    if (!isReturnTo(returnUrl, agreement.returnUrl))
      await requireShownAsOurs(agreements, agreement.id, returnUrl);
    await requireNobodyElses(work.context.db, input.identity, agreement.id);
    return { type: 'agreementExecuted', facts: agreementFactsOf(agreement, order.currency) };
  });
}

/** The payer cancelled while an execution was put off: it is not sent again. */
async function hasCancelled(
  { context }: SubscriptionWork,
  { identity, state }: SubscriptionStepInput,
): Promise<boolean> {
  if (!state.isCancelWaiting) return false;
  return await hasPayerCancelled(context.db, 'subscriptions', identity.subscriptionId);
}

/**
 * @throws {UnreadableAnswerError} if the answer shows the return address of another agreement: nothing can be concluded
 *   from it.
 */
function requireOurs(
  { returnUrl: shown }: Pick<Agreement, 'returnUrl'>,
  returnUrl: Offer['returnUrl'],
): void {
  if (isReturnToAnother(returnUrl, shown)) throw new UnreadableAnswerError();
}

/**
 * An answer without our return address may be about an agreement that nobody has on record. One that does not show the
 * address in a read either is believed: a provider may never show it.
 *
 * @throws {UnreadableAnswerError} if a read shows the return address of another agreement.
 */
async function requireShownAsOurs(
  agreements: PaymentsClient['agreements'],
  agreementId: string,
  returnUrl: Offer['returnUrl'],
): Promise<void> {
  // It was executed: an error of this read must not be taken for a refusal.
  const shown = await agreements.get(agreementId, { signal: lookLimit() }).catch(() => undefined);
  if (shown) requireOurs(shown, returnUrl);
}

/** @throws {UnreadableAnswerError} if the agreement is on record as another subscription's. */
async function requireNobodyElses(
  db: Database,
  identity: SubscriptionStepInput['identity'],
  agreementId: string,
): Promise<void> {
  const subjects = await findSubjectsOfResources(db, identity, [agreementId]);
  const { subscriptionId } = identity;
  if ((subjects.get(agreementId) ?? subscriptionId) !== subscriptionId) throw new UnreadableAnswerError();
}

/**
 * Suspends, reactivates or cancels. The attempt's row stores the agreement's last change before the call: a read that
 * shows the requested state from before that is no proof.
 */
export async function changeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { agreementId } = input.state;
  if (!isStateChange(step) || agreementId === undefined) throw new Error('nothing to change');
  const seen = await lastChangeOf(work, input, agreementId);
  const send = async ({ requestId }: AttemptIdentity) => {
    const { agreements } = work.context.providers.for(input.identity);
    const note = { note: step.note };
    switch (step.type) {
      case 'suspendAgreement':
        await agreements.suspend(agreementId, note, { requestId });
        return { type: 'agreementSuspended' } as const;
      case 'reactivateAgreement':
        await agreements.reactivate(agreementId, note, { requestId });
        return { type: 'agreementReactivated' } as const;
      case 'cancelAgreement':
        await agreements.cancel(agreementId, note, { requestId });
        return { type: 'agreementCancelled' } as const;
    }
  };
  return await attemptStep(work, input, send, seen);
}

/**
 * When the agreement last changed, by the provider's clock if it shows that. If it cannot be read, an earlier read is
 * used.
 */
async function lastChangeOf(
  { context }: SubscriptionWork,
  { identity, state }: SubscriptionStepInput,
  agreementId: string,
): Promise<Pick<StateChange, 'seenUpdatedAt' | 'seenShown'>> {
  const known = state.billing?.updatedAt;
  // Not needed for a cancellation: an ended agreement is the requested result, even if somebody else ended it.
  const earlier = known === undefined ? {} : { seenUpdatedAt: known };
  if (state.openStep?.step.type === 'cancelAgreement') return earlier;
  const { agreements } = context.providers.for(identity);
  const agreement = await readBeforeSending(context, subscriptionSubject(identity), () =>
    agreements.get(agreementId, { signal: lookLimit() }),
  );
  const seen = Date.parse(agreement?.updateTime ?? '');
  // Not dated, or lagging behind an earlier read.
  if (!agreement || !(seen >= (known ?? -Infinity))) return earlier;
  return { seenUpdatedAt: seen, seenShown: agreement.state };
}
