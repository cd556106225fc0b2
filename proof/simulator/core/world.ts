import { Clock } from './clock.js';
import { type Coincidence, drawCoincidence } from './coincidences.js';
import { Draws } from './draws.js';
import { Faults } from './faults.js';

export interface Violation {
  /** Which promise was broken: the oracle's name. */
  readonly oracle: string;
  readonly words: string;
  readonly at: number;
}

/** What everything in one simulated world shares. */
export class World {
  static readonly startsAt = Date.UTC(2030, 0, 1);
  readonly clock = new Clock(World.startsAt);
  readonly draws: Draws;
  readonly faults: Faults;
  readonly coincidence: Coincidence | undefined;
  readonly violations: Violation[] = [];
  readonly trace: { readonly at: number; readonly words: string }[] = [];
  /** Somebody sends requests that nobody has accepted: a run that says so complains rightly. */
  hasIntruder = false;
  private ids = 0;

  constructor(
    readonly seed: number,
    private readonly options: {
      readonly isTold: boolean;
      readonly allowed?: ReadonlySet<string> | undefined;
    },
  ) {
    this.draws = new Draws(seed);
    this.coincidence = drawCoincidence(this.draws);
    this.faults = new Faults(this.clock, this.draws, options.allowed, this.coincidence);
  }

  /** A line of the trace; its text is created only if it is printed. */
  tell(words: () => string): void {
    if (this.options.isTold) this.trace.push({ at: this.clock.now, words: words() });
  }

  violate(oracle: string, words: string): void {
    this.violations.push({ oracle, words, at: this.clock.now });
    // A step that fails because of a bug is retried forever.
    if (oracle === 'bug') this.clock.isStopped = true;
    this.tell(() => `VIOLATION (${oracle}): ${words}`);
  }

  nextId(prefix: string): string {
    this.ids += 1;
    return `${prefix}${this.ids}`;
  }
}

/** The world that is being simulated: what replaces clocks and chance in the code under test asks it. */
export const present: { world: World | undefined } = { world: undefined };

export function presentWorld(): World {
  if (!present.world) throw new Error('no world is simulated');
  return present.world;
}
