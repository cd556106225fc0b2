import { ApplicationFailure, continueAsNew, patched, setHandler } from '@temporalio/workflow';
import { isDecision, type StepDecisionMessage } from './contract/review.js';
import {
  type Offer,
  type SubscriptionActivities,
  type SubscriptionMessage,
  type SubscriptionOutcome,
  type SubscriptionRunInput,
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSignals,
  subscriptionSnapshotQuery,
} from './contract/subscription.js';
import { asNewRunsDo } from './contract/run.js';
import { isBookOwed } from './lifecycle/subscription/book.js';
import { lookBeforeRefusal, subscriptionLifecycle } from './lifecycle/subscription/lifecycle.js';
import {
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionState,
  orderedSubscription,
} from './lifecycle/subscription/subscription.js';
import { fromRows } from './run/after-end.js';
import { begunAt } from './run/begun-at.js';
import { takeDecisions, takeSignals } from './run/handlers.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { type CallOf, activityCalls, call } from './run/local-activities.js';
import { describeSubscription } from './subscription-description.js';

const activities = activityCalls<SubscriptionActivities>();

/**
 * The run of one subscription, from its order to its last cycle, which may take years. After its end it is read until
 * every payment is final; a later event starts another run that reads.
 */
export async function subscriptionWorkflow(input: SubscriptionRunInput): Promise<SubscriptionOutcome> {
  const find = () => call(activities.findEndedSubscription(input.identity));
  const run = subscriptionRun(await fromRows(input, find));
  takeSignals(run, subscriptionSignals, input);
  takeDecisions(run);
  setHandler(subscriptionSnapshotQuery, () => run.snapshot());
  await run.run();
  const { status, billing } = run.state;
  return { status, cyclesCompleted: billing?.cyclesCompleted ?? 0 };
}

function subscriptionRun(input: SubscriptionRunInput) {
  // Newer than any patch: see TimedInput.
  const recordsTime = input.recordsTime === true;
  return new LifecycleRun<
    SubscriptionState,
    SubscriptionEvent,
    SubscriptionEffect,
    SubscriptionMessage | StepDecisionMessage
  >(
    {
      lifecycle: {
        ...subscriptionLifecycle,
        owesAfterEnd: (state) => isBookOwed(state) && (recordsTime || patched('read on after the end')),
      },
      firstEffect: { type: 'perform', step: { type: 'createAgreement' } },
      carryOut: (effect, position) => carryOut(input, effect, { identity: input.identity, ...position }),
      record: (position) => activities.recordSubscription({ identity: input.identity, ...position }),
      describe: (state, effect) => describeSubscription(state, effect, input.offer?.returnUrl),
      currencyOf: (state) => state.order.currency,
      // An event about a payment is not only a hint: the read for another hint may not include the payments.
      isUpdate: isDecision,
      isHint: (event) => event.type === 'providerNotified' && event.isAboutPayment !== true,
      sharesReads: () => true,
      lookBefore: lookBeforeRefusal,
      recordsTime,
      takesEvents: input.takesEvents === true,
      messagesPerRun: input.messagesPerRun,
      continueAsNew: (continued) =>
        continueAsNew<typeof subscriptionWorkflow>({ ...input, ...asNewRunsDo, continued }),
    },
    orderedSubscription(input.order, begunAt(input)),
    input.continued,
  );
}

function carryOut(
  input: SubscriptionRunInput,
  effect: SubscriptionEffect,
  step: SubscriptionStepInput,
): CallOf<SubscriptionStepOutcome> {
  switch (effect.type) {
    case 'lookUp':
      return activities.lookUpAgreement(step, offerIn(input), effect.hint);
    case 'observe':
      return activities.observeAgreement(step);
    case 'verifyDecision':
      return activities.verifySubscriptionDecision(step, offerIn(input), effect.decided);
    case 'perform':
      switch (effect.step.type) {
        case 'createAgreement':
          return activities.createAgreement(step, offerIn(input));
        case 'executeAgreement':
          return activities.executeAgreement(step, offerIn(input));
        case 'suspendAgreement':
        case 'reactivateAgreement':
        case 'cancelAgreement':
          return activities.changeAgreement(step);
        case 'billBalance':
          return activities.billBalance(step);
        case 'setBalance':
          return activities.setBalance(step);
      }
  }
}

/** A run after the end sends and looks up nothing, so it has no offer. */
function offerIn({ offer }: SubscriptionRunInput): Offer {
  if (!offer) throw ApplicationFailure.nonRetryable('a run that only reads has nothing to offer');
  return offer;
}
