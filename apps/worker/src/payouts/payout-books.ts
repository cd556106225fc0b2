import { payoutRecords } from '../../../../libs/database/src/payout-records.js';
import type { CommandOutcome } from '../../../../libs/database/src/transition-rows.js';
import {
  type PayoutIdentity,
  payoutOrderCommandId,
  payoutSubject,
} from '../../../../libs/workflows/src/contract/payout.js';
import { nameOfStep } from '../../../../libs/workflows/src/lifecycle/payout/cancellation.js';
import { payoutLifecycle } from '../../../../libs/workflows/src/lifecycle/payout/lifecycle.js';
import type {
  PayoutEvent,
  PayoutState,
  PayoutStep,
} from '../../../../libs/workflows/src/lifecycle/payout/payout.js';
import type { TimelineEntry } from '../../../../libs/workflows/src/lifecycle/progress.js';
import type { StepBookkeeping, Work } from '../steps/bookkeeping.js';

export type PayoutWork = Work<PayoutIdentity, PayoutState, PayoutEvent, PayoutStep>;

export const payoutBooks: StepBookkeeping<PayoutIdentity, PayoutState, PayoutEvent, PayoutStep> = {
  lifecycle: payoutLifecycle,
  records: payoutRecords,
  subjectOf: payoutSubject,
  patienceOf: ({ order }) => order.patience,
  nameOfStep,
  commandOf,
  commandsIn: (timeline) => [...refusedCommands(timeline), ...decisions(timeline)],
  outcomeOfStep,
};

/** What becomes of a command when the step that it asked for had this outcome. */
function outcomeOfStep(step: PayoutStep, event: PayoutEvent, after: PayoutState): CommandOutcome {
  const command = commandOf(step, after);
  switch (event.type) {
    case 'payoutCreated':
    case 'itemCancelled':
      return { ...command, status: 'succeeded' };
    case 'stepDecidedUndone':
      return { ...command, status: 'failed', result: { code: 'decided_undone', reason: event.reason } };
    case 'stepDeclined':
      return { ...command, status: 'failed', result: { code: 'provider_refused', reason: event.reason } };
    default:
      // Deferred, in doubt or proved undone: it is still under way, unless the payout has given it up.
      if (after.openStep) return { ...command, status: 'executing' };
      return {
        ...command,
        status: 'failed',
        result: { code: 'provider_unavailable', reason: after.reason ?? '' },
      };
  }
}

function commandOf(step: PayoutStep, { order }: PayoutState) {
  return step.type === 'createPayout'
    ? ({ commandId: payoutOrderCommandId(order.payoutId), kind: 'create' } as const)
    : ({ commandId: step.commandId, kind: 'cancelItem' } as const);
}

/** Commands that the run did not take. */
function refusedCommands(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap((entry) => {
    if (entry.kind !== 'refused' || entry.commandId === undefined) return [];
    const kind = entry.event === 'itemCancelRequested' ? 'cancelItem' : 'decide';
    const result = { code: entry.code ?? 'not_allowed_in_state', reason: entry.detail ?? '' };
    return [{ commandId: entry.commandId, kind, status: 'refused', result }];
  });
}

/** A decision stands once the payout has moved by it; one that the provider's word has overtaken comes to nothing. */
function decisions(timeline: readonly TimelineEntry[]): CommandOutcome[] {
  return timeline.flatMap(({ event, kind, commandId, decision }, at): CommandOutcome[] => {
    if (event !== 'reviewDecided' || kind !== 'moved' || commandId === undefined) return [];
    const command = { commandId, kind: 'decide' } as const;
    const outcome = timeline[at + 1];
    if (!outcome) return [{ ...command, status: 'executing' }];
    if (outcome.event === 'decisionRefused') return [];
    const isUndone = outcome.event === 'stepDecidedUndone' || outcome.event === 'stepDeclined';
    if (isUndone === (decision === 'did_not_happen')) return [{ ...command, status: 'succeeded' }];
    const reason = 'The provider has shown the contrary meanwhile.';
    return [{ ...command, status: 'refused', result: { code: 'contradicted_by_provider', reason } }];
  });
}
