import { adoptedRefundId } from '#database/subjects';
import { refundRecords, type CommandOutcome } from '#database/transitions';
import { type RefundIdentity, type RefundStepInput, refundSubject, prefixOf } from '#workflows/contract';
import {
  refundLifecycle,
  refundStepName,
  type RefundEvent,
  type RefundState,
  type RefundStep,
} from '#workflows/lifecycle/refund';
import type { Work } from '../steps/activities/subject-writer.js';
import { outcomeOfUndone } from '../steps/activities/command-outcomes.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { commandsIn } from '../payments/payment-command-outcomes.js';

export type RefundWork = Work<{
  identity: RefundIdentity;
  state: RefundState;
  event: RefundEvent;
  step: RefundStep;
}>;

export const refundWriter: RefundWork['writer'] = {
  lifecycle: refundLifecycle,
  records: refundRecords,
  subjectOf: refundSubject,
  waitPolicyOf: ({ patience }) => patience,
  nameOfStep: () => refundStepName,
  commandOf: ({ commandId }) => ({ commandId, kind: 'refund' }),
  commandsIn,
  outcomeOfStep,
  // Its capture or sale may have been made just before.
  madeAtOf: (_state, begunAt) => begunAt,
};

/** The outcome of the request, from the outcome of its step. */
function outcomeOfStep(
  { commandId }: RefundStep,
  event: RefundEvent,
  after: RefundState,
): CommandOutcome | undefined {
  const command = { commandId, kind: 'refund' } as const;
  switch (event.type) {
    // The refund was made; its own status shows whether it is completed.
    case 'refundAnswered':
      return { ...command, status: 'succeeded' };
    default:
      return outcomeOfUndone(command, event, after);
  }
}

type RefundActivity<Result> = (input: RefundStepInput) => Promise<Result>;

/** Also wakes the long polls of the payment when its refund changes. */
export function announcingPayment({ changes }: Pick<ActivityContext, 'changes'>) {
  return <Result>(activity: RefundActivity<Result>): RefundActivity<Result> =>
    async (input) => {
      const result = await activity(underOurId(input));
      changes.announce(input.state.paymentId);
      return result;
    };
}

/** Runs from before refunds had our own ids use the provider's id; their rows have our id now. */
function underOurId(input: RefundStepInput): RefundStepInput {
  const { identity } = input;
  if (identity.refundId.startsWith(prefixOf('refund'))) return input;
  return { ...input, identity: { ...identity, refundId: adoptedRefundId(identity, identity.refundId) } };
}
