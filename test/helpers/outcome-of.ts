import type { ActivityOutcome, StepResult } from '#workflows/contract/run.js';

/** What an activity has found out, where the rows have taken it. */
export async function outcomeOf<Event>(
  result: Promise<StepResult<unknown, Event>>,
): Promise<ActivityOutcome<Event>> {
  const outcome = await result;
  if ('ended' in outcome) throw new Error('The rows have ended already.');
  if ('isLate' in outcome) throw new Error('A newer task has written since.');
  return outcome;
}
