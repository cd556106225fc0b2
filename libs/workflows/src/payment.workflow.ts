import { continueAsNew, patched, setHandler } from '@temporalio/workflow';
import {
  type PaymentActivities,
  type PaymentDecision,
  type PaymentMessage,
  type PaymentOutcome,
  type PaymentRunInput,
  type StepInput,
  type StepOutcome,
  paymentSignals,
  snapshotQuery,
} from './contract/payment.js';
import { isDecision } from './contract/review.js';
import { asNewRunsDo } from './contract/run.js';
import { amountsOf } from './lifecycle/payment/amounts.js';
import { lookBeforeRefusal } from './lifecycle/payment/look-before-refusal.js';
import { paymentLifecycle } from './lifecycle/payment/lifecycle.js';
import { type PaymentState, orderedPayment } from './lifecycle/payment/payment.js';
import type { Effect, PaymentEvent } from './lifecycle/payment/event.js';
import { describePayment } from './payment-description.js';
import { begunAt } from './run/begun-at.js';
import { takeDecisions, takeSignals } from './run/handlers.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { type CallOf, activityCalls } from './run/local-activities.js';

const activities = activityCalls<PaymentActivities>();

/** The run of one payment, from its order to its end. */
export async function paymentWorkflow(input: PaymentRunInput): Promise<PaymentOutcome> {
  const run = paymentRun(input);
  takeSignals(run, paymentSignals, input);
  takeDecisions(run);
  setHandler(snapshotQuery, () => run.snapshot());
  await run.run();
  return outcomeOf(run.state);
}

function paymentRun(input: PaymentRunInput) {
  // Newer than any patch: see TimedInput.
  const recordsTime = input.recordsTime === true;
  return new LifecycleRun<PaymentState, PaymentEvent, Effect, PaymentMessage | PaymentDecision>(
    {
      lifecycle: paymentLifecycle,
      firstEffect: { type: 'perform', step: { type: 'createPayment' } },
      carryOut: (effect, position) => carryOut(input, effect, { identity: input.identity, ...position }),
      record: (position) => activities.recordTransition({ identity: input.identity, ...position }),
      describe: (state, effect) => describePayment(state, effect, input.purchase.returnUrl),
      currencyOf: (state) => state.order.amount.currency,
      // An event that names the resource is evidence, not only a hint: a lookup without the id may not find it.
      isUpdate: isDecision,
      isHint: (event) => event.type === 'providerNotified' && event.resourceId === undefined,
      sharesReads: () => patched('waiting-hints-share-a-read'),
      lookBefore: (state, event, now) => {
        const look = lookBeforeRefusal(state, event, now);
        // The patch is evaluated only if a lookup is due: most histories then have no marker.
        return look && (recordsTime || patched('look before refusal')) ? look : undefined;
      },
      recordsTime,
      takesEvents: input.takesEvents === true,
      messagesPerRun: input.messagesPerRun,
      continueAsNew: (continued) =>
        continueAsNew<typeof paymentWorkflow>({ ...input, ...asNewRunsDo, continued }),
    },
    orderedPayment(input.order, begunAt(input)),
    input.continued,
  );
}

function carryOut(input: PaymentRunInput, effect: Effect, step: StepInput): CallOf<StepOutcome> {
  switch (effect.type) {
    case 'lookUp':
      return activities.lookUpOutcome(step, effect.hint);
    case 'observe':
      return activities.observePayment(step);
    case 'verifyDecision':
      return activities.verifyDecision(step, effect.decided);
    case 'perform':
      return effect.step.type === 'createPayment'
        ? activities.createPayment(step, input.purchase)
        : activities[effect.step.type](step);
  }
}

/** Small, because it stays in the history; the rows have the rest. */
function outcomeOf(state: PaymentState): PaymentOutcome {
  const { status, order } = state;
  const { authorized, captured } = amountsOf(state);
  return { status, currency: order.amount.currency, authorized, captured };
}
