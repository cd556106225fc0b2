import { Production } from '../faults/campaign/production.js';
import type { Participants, Scenario } from '../faults/lifecycle.js';
import type { Random } from '../faults/random.js';
import type { DelayClock } from './delays.js';
import { disturbed, drawScenarios, measured, SlowPeople } from './load.js';

const disturbedConcurrency = 6;
const measuredConcurrency = 2;
/** Started for each change at most; far fewer are. */
const scenariosOfChange = 200;

/** Disturbed lifecycles, many of them slow, and those whose calls are measured. */
export function productionsIn(
  {
    participantsOf,
    changes,
    signal,
  }: {
    readonly participantsOf: (scenario: Scenario) => Participants;
    readonly changes: number;
    readonly signal: AbortSignal;
  },
  { random, clock }: { readonly random: Random; readonly clock: DelayClock },
) {
  const people = new SlowPeople(random.fork('people'));
  const most = changes * scenariosOfChange;
  const slow = new Production(
    drawScenarios(random.fork('disturbed'), disturbed, most),
    (scenario) => people.slowed(participantsOf(scenario)),
    disturbedConcurrency,
    signal,
  );
  const quick = new Production(
    drawScenarios(random.fork('measured'), [measured], most),
    (scenario) => {
      const participants = participantsOf(scenario);
      return { ...participants, orderService: clock.measured(participants.orderService) };
    },
    measuredConcurrency,
    signal,
  );
  const productions = [slow, quick];
  return {
    productions,
    /** Starts lifecycle after lifecycle until the work is done. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      let isDone = false;
      const playing = all(productions, (production) =>
        production.startAll(() => Promise.resolve(isDone ? 'enough' : undefined)),
      );
      // Its failure is reported when the work is done.
      playing.catch(() => undefined);
      try {
        return await work();
      } finally {
        isDone = true;
        people.hurry();
        await playing;
      }
    },
  };
}

export async function all<T>(items: readonly T[], make: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(make));
}
