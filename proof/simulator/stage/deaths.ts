import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import type { SubjectRow } from '../rows/row-types.js';
import type { Stage } from './stage.js';

/** Workers die right after they have recorded what became of an execution, or a cycle: the next ones find it there. */
export function killAroundExecutions(stage: Stage): void {
  if (stage.world.coincidence !== 'deaths around an execution') return;
  stage.watch({
    subjectChanged: (before, after) => {
      if (before && cyclesOf(before) < cyclesOf(after)) die(stage, after.id, 'shown a cycle');
    },
    commandChanged: () => undefined,
    outcomeRecorded: (_before, { subject_id: id, step, outcome }) => {
      if (step.type === 'executeAgreement') die(stage, id, `recorded that an execution is ${outcome}`);
    },
  });
}

/** Workers die as an attempt at setting a balance begins. What they have seen before it, the next ones find in its row. */
export function killAroundBalances(stage: Stage): void {
  const { coincidence, clock, faults } = stage.world;
  if (coincidence !== 'deaths around a balance') return;
  faults.isCoinciding = false;
  stage.watch({
    subjectChanged: () => undefined,
    commandChanged: () => undefined,
    attemptBegun: ({ subject_id: id, step }) => {
      if (step.type === 'setBalance') die(stage, id, 'begun to set a balance');
    },
    outcomeRecorded: (_before, { step }) => {
      if (step.type !== 'billBalance' && step.type !== 'setBalance') return;
      // For the read right after it.
      faults.isCoinciding = true;
      clock.after(1_000, () => void (faults.isCoinciding = false));
    },
  });
}

function die({ world, server, workers, workflowId }: Stage, id: string, words: string): void {
  const task = server.runs.get(workflowId(id))?.task;
  if (typeof task !== 'object') return;
  const { worker } = task;
  if (world.faults.strikes('death after a record', 0.6, `${worker.name} dies as it has ${words}`))
    workers.kill(worker);
}

export function cyclesOf({ kind, state }: SubjectRow): number {
  return kind === 'subscription' ? ((state as SubscriptionState).billing?.cyclesCompleted ?? 0) : 0;
}
