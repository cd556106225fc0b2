import {
  type PayoutRunInput,
  payoutSubject,
  payoutWorkflowType,
  type Subject,
  type RunStart,
} from '#workflows/contract';
import type { PayoutState } from '#workflows/lifecycle/payout';
import { messagesPerRun } from './run-input.js';
import { moneyText } from '#workflows/lifecycle';

export function payoutRunStart(input: PayoutRunInput): RunStart {
  const { items, total } = input.order;
  return {
    subject: payoutSubject(input.identity),
    type: payoutWorkflowType,
    input,
    summary: `Pay out ${moneyText(total)} to ${items} receivers`,
    intent: 'payout',
  };
}

/** The run that reads a payout after its end; it takes the state from the rows. */
export function payoutRunAfterEnd(
  { environment, application, id: payoutId }: Subject,
  { order }: PayoutState,
): RunStart {
  const identity = { environment, application, payoutId };
  return payoutRunStart({ identity, order, hasEnded: true, messagesPerRun });
}
