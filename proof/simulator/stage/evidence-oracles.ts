import type { AttemptRow } from '../../../libs/database/src/schema.js';
import type { StepOf } from '../../../libs/workflows/src/lifecycle/step/open-step.js';
import type { SteppingState } from '../../../libs/workflows/src/lifecycle/step/step-rules.js';
import type { Stage } from './stage.js';

/**
 * What the attempts prove is what happened: nobody writes over what was proved, and nobody is asked about what is proved
 * already.
 */
export function watchEvidence({ watch, world, rows }: Pick<Stage, 'watch' | 'world' | 'rows'>): void {
  watch({
    subjectChanged: (before, { id, status, state }) => {
      if (status !== 'needs_review' || before?.status === status) return;
      const { openStep } = state as SteppingState<StepOf>;
      const step = openStep?.step;
      if (!step) return;
      const proof = rows.attempts.find(
        (attempt) => attempt.subject_id === id && attempt.outcome === 'answered' && isOf(attempt, step),
      );
      if (proof) world.violate('asked in vain', `${id}: a person is asked about ${step.type}, which is proved`);
    },
    commandChanged: () => undefined,
    attemptSettled: (before, after) => {
      if (before.outcome === null || before.outcome === 'unknown') return;
      const words = `${before.step_name} ${before.attempt_number} of ${before.subject_id}`;
      world.violate('proof undone', `${words} was ${before.outcome}, and is ${String(after.outcome)} now`);
    },
  });
}

function isOf({ step }: AttemptRow, { type, commandId }: StepOf): boolean {
  return step.type === type && step.commandId === commandId;
}
