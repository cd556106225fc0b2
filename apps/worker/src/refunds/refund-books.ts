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
import type { Work } from '../steps/bookkeeping.js';
import { outcomeOfUndone } from '../steps/command-outcomes.js';
import type { ActivityContext } from '../context.js';
import { commandsIn } from '../payments/payment-outcomes.js';

export type RefundWork = Work<RefundIdentity, RefundState, RefundEvent, RefundStep>;

export const refundBooks: RefundWork['books'] = {
  lifecycle: refundLifecycle,
  records: refundRecords,
  subjectOf: refundSubject,
  waitPolicyOf: ({ patience }) => patience,
  nameOfStep: () => refundStepName,
  commandOf: ({ commandId }) => ({ commandId, kind: 'refund' }),
  commandsIn,
  outcomeOfStep,
};

/** What becomes of the request when its step had this outcome. */
function outcomeOfStep(
  { commandId }: RefundStep,
  event: RefundEvent,
  after: RefundState,
): CommandOutcome | undefined {
  const command = { commandId, kind: 'refund' } as const;
  switch (event.type) {
    // Made: the refund itself says whether it is completed.
    case 'refundAnswered':
      return { ...command, status: 'succeeded' };
    default:
      return outcomeOfUndone(command, event, after);
  }
}

type RefundActivity<Result> = (input: RefundStepInput) => Promise<Result>;

/** Whoever waits for news of the payment is woken by what becomes of its money. */
export function toldWithItsPayment({ changes }: Pick<ActivityContext, 'changes'>) {
  return <Result>(activity: RefundActivity<Result>): RefundActivity<Result> =>
    async (input) => {
      const result = await activity(underOurId(input));
      changes.announce(input.state.paymentId);
      return result;
    };
}

/** Runs that were begun before refunds had ids of ours go by the provider's; their rows have ours by now. */
function underOurId(input: RefundStepInput): RefundStepInput {
  const { identity } = input;
  if (identity.refundId.startsWith(prefixOf('refund'))) return input;
  return { ...input, identity: { ...identity, refundId: adoptedRefundId(identity, identity.refundId) } };
}
