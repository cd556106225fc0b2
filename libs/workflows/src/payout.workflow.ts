import { continueAsNew, setHandler } from '@temporalio/workflow';
import {
  type PayoutActivities,
  type PayoutMessage,
  type PayoutOutcome,
  type PayoutRunInput,
  type PayoutStepInput,
  type PayoutStepOutcome,
  payoutSignals,
  payoutSnapshotQuery,
} from './contract/payout.js';
import { isDecision, type StepDecisionMessage } from './contract/review.js';
import { asNewRunsDo } from './contract/run.js';
import { lookBeforeRefusal, payoutLifecycle } from './lifecycle/payout/lifecycle.js';
import {
  type PayoutEffect,
  type PayoutEvent,
  type PayoutState,
  orderedPayout,
} from './lifecycle/payout/payout.js';
import { describePayout } from './payout-description.js';
import { fromRows } from './run/after-end.js';
import { takeDecisions, takeSignals } from './run/handlers.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { type CallOf, activityCalls, call } from './run/local-activities.js';

const activities = activityCalls<PayoutActivities>();

/** The run of one payout, from its order until every item has ended; or a run that reads after the end. */
export async function payoutWorkflow(input: PayoutRunInput): Promise<PayoutOutcome> {
  const find = () => call(activities.findEndedPayout(input.identity));
  const run = payoutRun(await fromRows(input, find));
  takeSignals(run, payoutSignals, input);
  takeDecisions(run);
  setHandler(payoutSnapshotQuery, () => run.snapshot());
  await run.run();
  const { status, order, totals } = run.state;
  return { status, currency: order.total.currency, totals };
}

function payoutRun(input: PayoutRunInput) {
  return new LifecycleRun<PayoutState, PayoutEvent, PayoutEffect, PayoutMessage | StepDecisionMessage>(
    {
      lifecycle: payoutLifecycle,
      firstEffect: { type: 'perform', step: { type: 'createPayout' } },
      carryOut: (effect, position) => carryOut(effect, { identity: input.identity, ...position }),
      record: (position) => activities.recordPayout({ identity: input.identity, ...position }),
      describe: (state, effect) => describePayout(state, effect, addressOf(input)),
      currencyOf: (state) => state.order.total.currency,
      // An event about an ended item is not only a hint: it needs a read that does not lag. A check is not delayed.
      isUpdate: isDecision,
      isHint: (event) =>
        event.type === 'providerNotified' && event.isOfEndedItem !== true && event.isCheck !== true,
      sharesReads: () => true,
      lookBefore: lookBeforeRefusal,
      recordsTime: input.recordsTime === true,
      takesEvents: input.takesEvents === true,
      messagesPerRun: input.messagesPerRun,
      continueAsNew: (continued) =>
        continueAsNew<typeof payoutWorkflow>({ ...input, ...asNewRunsDo, continued }),
    },
    orderedPayout(input.order),
    input.continued,
  );
}

function addressOf({ publicUrl, identity }: PayoutRunInput): string | undefined {
  return publicUrl && `${publicUrl}/v1/payouts/${identity.payoutId}`;
}

function carryOut(effect: PayoutEffect, step: PayoutStepInput): CallOf<PayoutStepOutcome> {
  switch (effect.type) {
    case 'lookUp':
      return activities.lookUpCancellation(step, effect.hint);
    case 'observe':
      return activities.observePayout(step, effect.items);
    case 'verifyDecision':
      return activities.verifyPayoutDecision(step, effect.decided);
    case 'perform':
      return activities[effect.step.type](step);
  }
}
