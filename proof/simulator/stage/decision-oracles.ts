import type { LifecycleState } from '#workflows/lifecycle';
import type { StepOf, SteppingState } from '#workflows/lifecycle/step';
import { noticedWithinMs } from './patience.js';
import type { Stage } from './stage.js';

/** A decision that was reported as carried out must not be asked for again. */
export function watchDecisions(stage: Pick<Stage, 'watch' | 'world' | 'rows' | 'row'>): void {
  const { world, rows } = stage;
  const questions = new Map<string, string>();
  stage.watch({
    subjectChanged: (before, { id, status }) => {
      if (status !== 'needs_review' || before?.status === status) return;
      world.clock.after(noticedWithinMs, () => judge(id));
    },
    commandChanged: (before, { id, kind, status, subjectId }) => {
      if (kind !== 'decide' || before?.status === status) return;
      if (status === 'accepted') questions.set(id, questionIn(stage.row(subjectId).state));
      if (status !== 'succeeded') return;
      const row = stage.row(subjectId);
      // While a row waits, no caller is told that a decision has succeeded: see waiting-oracle.ts.
      if (row.status === 'needs_review' && row.waitsSince === undefined) tell(id, subjectId);
    },
  });

  /** With a delay: a worker that lost its task may write its older state again. */
  function judge(subjectId: string): void {
    const { status, state } = stage.row(subjectId);
    if (status !== 'needs_review') return;
    const question = questionIn(state);
    for (const command of rows.commands.values()) {
      const isAnswer = command.subjectId === subjectId && command.status === 'succeeded';
      if (isAnswer && questions.get(command.id) === question) tell(command.id, subjectId);
    }
  }

  function tell(id: string, subjectId: string): void {
    world.violate(
      'told without effect',
      `${id} was told succeeded, and ${subjectId} is under review as before`,
    );
  }
}

/** Which step it is about, else why it is asked. */
function questionIn(state: LifecycleState): string {
  return String((state as SteppingState<StepOf>).openStep?.number ?? state.reason);
}
