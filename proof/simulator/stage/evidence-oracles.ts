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
 * The instant from which a lookup that finds nothing proves that the attempt was not carried out. It is counted from the
 * end of the call, but at the latest from the last instant at which the call could be sent: a caller that noticed the end
 * late records a later one. If several instants are recorded for an attempt, the earliest counts: a lookup of a lost task
 * may write an earlier one again.
 */
function horizonOf({ event, send_by }: AttemptRow): number {
  const doubt = event as StepEvent | null;
  const latestHorizon = send_by.getTime() + horizonMs;
  return doubt?.type === 'outcomeUnknown' ? Math.min(doubt.horizonAt, latestHorizon) : latestHorizon;
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
