import { setTimeout as sleep } from 'node:timers/promises';
import { around } from '../faults/around.js';
import type { Participants, Scenario } from '../faults/lifecycle.js';
import type { Random } from '../faults/random.js';

/** How many requests an order service and its payer have made when they pause. */
const turnsBeforePause = [
  [1, 15],
  [2, 25],
  [3, 10],
  [4, 10],
  [5, 25],
  [6, 10],
  [7, 5],
] as const;

/** So many go on in a second when the gate is opened: order services do not come back all at once. */
const leaveEachSecond = 20;

/**
 * Makes order services and payers pause, each after a drawn number of requests, until the gate is opened: so their runs
 * stay open, each in the state that it has reached.
 */
export class Gate {
  #isOpen = false;
  readonly #waiting: (() => void)[] = [];
  readonly #turns = new Map<Scenario, { left: number; readonly parked: PromiseWithResolvers<void> }>();

  constructor(private readonly random: Random) {}

  get paused(): number {
    return this.#waiting.length;
  }

  /** Resolves when the scenario pauses. */
  untilPaused(scenario: Scenario): Promise<void> {
    return this.#turnsOf(scenario).parked.promise;
  }

  /** The same participants, who pause at the gate. */
  before(scenario: Scenario, participants: Participants): Participants {
    const pass = async (go: () => Promise<unknown>): Promise<unknown> => {
      await this.#pass(scenario);
      return await go();
    };
    return {
      ...participants,
      orderService: around(participants.orderService, ['submit', 'until'], pass),
      payer: around(participants.payer, ['approve', 'cancel', 'follow'], pass),
    };
  }

  /** Lets all go on, one after the other, and those that come later at once. */
  async open(signal: AbortSignal): Promise<void> {
    for (let leave = this.#waiting.shift(); leave; leave = this.#waiting.shift()) {
      leave();
      await sleep(1_000 / leaveEachSecond, undefined, { signal });
    }
    this.#isOpen = true;
    for (const leave of this.#waiting) leave();
  }

  async #pass(scenario: Scenario): Promise<void> {
    const turns = this.#turnsOf(scenario);
    turns.left -= 1;
    if (turns.left >= 0 || this.#isOpen) return;
    turns.left = Number.POSITIVE_INFINITY;
    turns.parked.resolve();
    await new Promise<void>((leave) => this.#waiting.push(leave));
  }

  #turnsOf(scenario: Scenario) {
    const known = this.#turns.get(scenario);
    if (known) return known;
    const turns = {
      left: this.random.weighted<number>(turnsBeforePause),
      parked: Promise.withResolvers<void>(),
    };
    this.#turns.set(scenario, turns);
    return turns;
  }
}
