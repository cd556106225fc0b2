import type { CommandRow } from '../rows/row-types.js';
import { isFinal } from './payment-oracles.js';
import type { Stage } from './stage.js';

/** Their outcome is known only by what was read before the call. */
const comparing: readonly CommandRow['kind'][] = ['billBalance', 'setBalance'];

/**
 * The server loses a run between two attempts of a step that is compared with what was read before it. Of the first
 * attempt, the next run knows what is in the rows.
 */
export function loseRunsBetweenAttempts({ watch, world, server, workflowId }: Stage): void {
  const { coincidence, faults } = world;
  if (coincidence !== 'lost between attempts') return;
  faults.isCoinciding = false;
  watch({
    subjectChanged: () => undefined,
    commandChanged: (_before, command) => {
      if (comparing.includes(command.kind)) faults.isCoinciding = !isFinal(command);
    },
    outcomeRecorded: (_before, { subject_id: id, step_name: step, outcome }) => {
      const run = server.runs.get(workflowId(id));
      if (!run || run.ended || (outcome !== 'deferred' && outcome !== 'unknown')) return;
      const words = `the server loses ${id} after an attempt at ${step} that is ${outcome}`;
      if (faults.isCoinciding && faults.strikes('lost after an attempt', 0.8, words)) server.lose(run);
    },
  });
}
