import { payoutRecords, type CommandOutcome } from '#database/transitions';
import { type PayoutIdentity, payoutOrderCommandId, payoutSubject } from '#workflows/contract';
import {
  nameOfStep,
  payoutLifecycle,
  type PayoutEvent,
  type PayoutState,
  type PayoutStep,
} from '#workflows/lifecycle/payout';
import type { Work } from '../steps/activities/subject-writer.js';
import { decisions, outcomeOfUndone, refusedCommands } from '../steps/activities/command-outcomes.js';

export type PayoutWork = Work<{
  identity: PayoutIdentity;
  state: PayoutState;
  event: PayoutEvent;
  step: PayoutStep;
}>;

export const payoutWriter: PayoutWork['writer'] = {
  lifecycle: payoutLifecycle,
  records: payoutRecords,
  subjectOf: payoutSubject,
  waitPolicyOf: ({ order }) => order.patience,
  nameOfStep,
  commandOf,
  commandsIn: (timeline) => [...refusedCommands(timeline), ...decisions(timeline)],
  outcomeOfStep,
};

/** The outcome of a command, from the outcome of its step. */
function outcomeOfStep(step: PayoutStep, event: PayoutEvent, after: PayoutState): CommandOutcome {
  const command = commandOf(step, after);
  switch (event.type) {
    case 'payoutCreated':
    case 'itemCancelled':
      return { ...command, status: 'succeeded' };
    default:
      return outcomeOfUndone(command, event, after);
  }
}

function commandOf(step: PayoutStep, { order }: PayoutState) {
  return step.type === 'createPayout'
    ? ({ commandId: payoutOrderCommandId(order.payoutId), kind: 'create' } as const)
    : ({ commandId: step.commandId, kind: 'cancelItem' } as const);
}
