import { writeTransition } from '../../../../libs/database/src/transitions.js';
import type { StepInput } from '../../../../libs/workflows/src/contract.js';
import type { ActivityContext } from './activity-context.js';
import { commandsIn } from './command-outcomes.js';

/** Writes what the payment decided without calling the provider: warnings, cancellations, refused commands. */
export async function recordTransition(context: ActivityContext, input: StepInput): Promise<void> {
  const { identity, state, version, timeline } = input;
  await writeTransition(context.db, {
    identity,
    state,
    version,
    timeline,
    commands: commandsIn(timeline),
  });
  context.changes.announce(identity.paymentId);
}
