import { continueAsNew, proxyLocalActivities, setHandler } from '@temporalio/workflow';
import { type DecisionMessage, decideReviewUpdate } from './contract/review.js';
import {
  type SubscriptionActivities,
  type SubscriptionMessage,
  type SubscriptionOutcome,
  type SubscriptionRunInput,
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSignals,
  subscriptionSnapshotQuery,
} from './contract/subscription.js';
import { lookBeforeRefusal, subscriptionLifecycle } from './lifecycle/subscription/lifecycle.js';
import {
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionState,
  orderedSubscription,
} from './lifecycle/subscription/subscription.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { describeSubscription } from './subscription-descriptions.js';

const activities = proxyLocalActivities<SubscriptionActivities>({
  startToCloseTimeout: '45 seconds',
  // They fail only when our own database is away; then nothing else is worth doing than to try again.
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
});

/** What a run takes: it hears of the signals by name, and of a decision as an Update. */
type SubscriptionSent = SubscriptionMessage | (DecisionMessage & { readonly event: SubscriptionEvent });

/** The life of one subscription, from its order to its last cycle: years, over many runs. */
export async function subscriptionWorkflow(input: SubscriptionRunInput): Promise<SubscriptionOutcome> {
  const run = subscriptionRun(input);
  // Before the first await: a signal that arrives with the start must find its handler.
  for (const signal of Object.values(subscriptionSignals)) {
    setHandler(signal, (message) => run.receive(message));
  }
  // Whatever it says: the validator refuses decisions that the lifecycle does not know.
  setHandler(decideReviewUpdate, (message) => run.receiveUpdate(message as SubscriptionSent), {
    validator: (message) => run.assertTakes(message as SubscriptionSent),
  });
  setHandler(subscriptionSnapshotQuery, () => run.snapshot());
  await run.live();
  const { status, billing } = run.state;
  return { status, cyclesCompleted: billing?.cyclesCompleted ?? 0 };
}

function subscriptionRun(input: SubscriptionRunInput) {
  return new LifecycleRun<SubscriptionState, SubscriptionEvent, SubscriptionEffect, SubscriptionSent>(
    {
      lifecycle: subscriptionLifecycle,
      firstEffect: { type: 'perform', step: { type: 'createAgreement' } },
      carryOut: (effect, standing) => carryOut(input, effect, { identity: input.identity, ...standing }),
      record: (standing) => activities.recordSubscription({ identity: input.identity, ...standing }),
      describe: describeSubscription,
      // A hint about a payment asks for more than the agreement: another one's read would not show it.
      isHint: (event) => event.type === 'providerNotified' && event.isAboutPayment !== true,
      sharesReads: () => true,
      lookBefore: lookBeforeRefusal,
      messagesPerRun: input.messagesPerRun,
      continueAsNew: (continued) => continueAsNew<typeof subscriptionWorkflow>({ ...input, continued }),
    },
    orderedSubscription(input.order, Date.now()),
    input.continued as ContinuedSubscription | undefined,
  );
}

type ContinuedSubscription = NonNullable<SubscriptionRunInput['continued']> & {
  readonly waiting: readonly SubscriptionSent[];
};

async function carryOut(
  { offer }: SubscriptionRunInput,
  effect: SubscriptionEffect,
  step: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  switch (effect.type) {
    case 'lookUp':
      return await activities.lookUpAgreement(step, offer);
    case 'observe':
      return await activities.observeAgreement(step);
    case 'verifyDecision':
      return await activities.verifySubscriptionDecision(step, offer, effect.decided);
    case 'perform':
      switch (effect.step.type) {
        case 'createAgreement':
          return await activities.createAgreement(step, offer);
        case 'executeAgreement':
          return await activities.executeAgreement(step);
        case 'suspendAgreement':
        case 'reactivateAgreement':
        case 'cancelAgreement':
          return await activities.changeAgreement(step);
      }
  }
}
