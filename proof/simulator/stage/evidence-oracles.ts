import type { AttemptRow } from '#database/schema';
import type { StepEvent, StepOf, SteppingState } from '#workflows/lifecycle/step';
import type { LifecycleState } from '#workflows/lifecycle';
import { horizonMs } from '../provider/exchange.js';
import type { SubjectRow } from '../rows/row-types.js';
import { noticedWithinMs } from './patience.js';
import type { Stage } from './stage.js';

/** A proved outcome of an attempt is never overwritten, and no review stays open about a proved outcome. */
export function watchEvidence(stage: Stage): void {
  const { watch, world, rows } = stage;
  const horizons = new Map<number, number>();
  watch({
    subjectChanged: (before, { id, status, state }) => {
      if (status !== 'needs_review' || before?.status === status) return;
      const number = numberOf(state);
      world.clock.after(noticedWithinMs, () => {
        const row = stage.row<LifecycleState>(id);
        const proved = row.status === 'needs_review' && numberOf(row.state) === number && stepIn(row);
        if (!proved || !rows.attempts.some((attempt) => isProof(attempt, id, proved))) return;
        world.violate('asked without need', `${id}: a person is asked about ${proved.type}, which is proved`);
      });
    },
    commandChanged: () => undefined,
    outcomeRecorded: (before, after) => {
      const horizon = Math.min(horizonOf(before), horizons.get(before.id) ?? Number.POSITIVE_INFINITY);
      horizons.set(before.id, horizon);
      const words = `${before.step_name} ${before.attempt_number} of ${before.subject_id}`;
      if (before.outcome !== null && before.outcome !== 'unknown')
        world.violate('proof undone', `${words} was ${before.outcome}, and is ${String(after.outcome)} now`);
      else if (after.outcome === 'undone' && world.clock.now < horizon)
        world.violate('proved too early', `${words} can still be carried out, and is called undone`);
    },
  });
}

/**
 * From here on its absence proves that it was not carried out: counted from its end, or from when it was sent at last. A
 * caller that heard late that its call was over tells a later instant than it could be sent at. Of all instants that are
 * recorded of an attempt the earliest counts: a lookup of a lost task may write an older one again.
 */
function horizonOf({ event, send_by }: AttemptRow): number {
  const doubt = event as StepEvent | null;
  const sentAtLast = send_by.getTime() + horizonMs;
  return doubt?.type === 'outcomeUnknown' ? Math.min(doubt.horizonAt, sentAtLast) : sentAtLast;
}

function stepIn({ state }: Pick<SubjectRow, 'state'>): StepOf | undefined {
  return (state as SteppingState<StepOf>).openStep?.step;
}

function numberOf(state: LifecycleState): number | undefined {
  return (state as SteppingState<StepOf>).openStep?.number;
}

function isProof(
  { subject_id, outcome, step }: AttemptRow,
  id: string,
  { type, commandId }: StepOf,
): boolean {
  const isOfIt = step.type === type && step.commandId === commandId;
  return subject_id === id && outcome === 'answered' && isOfIt;
}
