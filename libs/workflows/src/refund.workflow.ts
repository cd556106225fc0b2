import { continueAsNew, patched, setHandler } from '@temporalio/workflow';
import {
  type RefundActivities,
  type RefundMessage,
  type RefundOutcome,
  type RefundRunInput,
  type RefundStepInput,
  type RefundStepOutcome,
  refundCommandId,
  refundNotifiedSignal,
  refundSnapshotQuery,
} from './contract/refund.js';
import { isDecision, type StepDecisionMessage } from './contract/review.js';
import { asNewRunsDo } from './contract/run.js';
import { refundLifecycle } from './lifecycle/refund/lifecycle.js';
import {
  type RefundEffect,
  type RefundEvent,
  type RefundState,
  observedRefund,
  requestedRefund,
} from './lifecycle/refund/refund.js';
import { describeRefund } from './refund-description.js';
import { begunAt } from './run/begun-at.js';
import { takeDecisions, takeSignals } from './run/handlers.js';
import { LifecycleRun } from './run/lifecycle-run.js';
import { type CallOf, activityCalls } from './run/local-activities.js';

const activities = activityCalls<RefundActivities>();

/** The run of a refund, from the request, or from the first report of one made elsewhere, to its end. */
export async function refundWorkflow(input: RefundRunInput): Promise<RefundOutcome> {
  const run = refundRun(input);
  takeSignals(run, { refundNotifiedSignal }, input);
  takeDecisions(run);
  setHandler(refundSnapshotQuery, () => run.snapshot());
  await run.run();
  const { status, amount } = run.state;
  return { status, ...(amount && { amount }) };
}

function refundRun(input: RefundRunInput) {
  // Newer than any patch: see TimedInput.
  const recordsTime = input.recordsTime === true;
  const first = firstState(input);
  const { openStep } = first;
  return new LifecycleRun<RefundState, RefundEvent, RefundEffect, RefundMessage | StepDecisionMessage>(
    {
      lifecycle: refundLifecycle,
      // A refund made elsewhere is read because of the message that started its run.
      firstEffect: openStep && { type: 'perform', step: openStep.step },
      carryOut: (effect, position) => carryOut(effect, { identity: input.identity, ...position }),
      record: (position) => activities.recordRefund({ identity: input.identity, ...position }),
      describe: (state, effect) => describeRefund(state, effect, addressOf(input)),
      currencyOf: (state) => state.amount?.currency ?? '',
      isUpdate: isDecision,
      isHint: (event) => event.type === 'refundNotified' && event.resourceId === undefined,
      sharesReads: () => patched('waiting-hints-share-a-read'),
      // A refund takes no requests that the rows could have accepted too early.
      lookBefore: () => undefined,
      recordsTime,
      takesEvents: input.takesEvents === true,
      messagesPerRun: Number.POSITIVE_INFINITY,
      callsPerRun: input.looksPerRun,
      continueAsNew: (continued) =>
        continueAsNew<typeof refundWorkflow>({ ...input, ...asNewRunsDo, continued }),
    },
    first,
    input.continued,
  );
}

function addressOf({ publicUrl, identity }: RefundRunInput): string | undefined {
  return publicUrl && `${publicUrl}/v1/refunds/${identity.refundId}`;
}

function firstState(input: RefundRunInput): RefundState {
  const { claim, paymentId, identity, patience } = input;
  const now = begunAt(input);
  if (claim.kind !== 'request') return observedRefund(claim, paymentId, patience, now);
  const commandId = refundCommandId(identity.refundId);
  return requestedRefund(claim, { paymentId, commandId }, patience, now);
}

function carryOut(effect: RefundEffect, step: RefundStepInput): CallOf<RefundStepOutcome> {
  switch (effect.type) {
    case 'perform':
      return activities.makeRefund(step);
    case 'lookUp':
      return activities.lookUpRefund(step, effect.hint);
    case 'observe':
      return activities.observeRefund(step);
    case 'verifyDecision':
      return activities.verifyRefundDecision(step, effect.decided);
  }
}
