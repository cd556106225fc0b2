import { createHash } from 'node:crypto';

/**
 * Reproducible random numbers (sfc32): the same seed draws the same numbers. Each part of a campaign forks its own
 * generator, so that its draws do not depend on other parts.
 */
export class Random {
  readonly #state: Uint32Array;

  constructor(private readonly seed: string) {
    const digest = createHash('sha256').update(seed).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12], (offset) => digest.readUInt32LE(offset));
  }

  fork(label: string): Random {
    return new Random(`${this.seed}/${label}`);
  }

  /** In [0, 1). */
  fraction(): number {
    const [a = 0, b = 0, c = 0, counter = 0] = this.#state;
    const drawn = (a + b + counter) >>> 0;
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + drawn, counter + 1]);
    return drawn / 2 ** 32;
  }

  /** Both ends included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.fraction() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [choice: T, weight: number])[]): T {
    let left = this.fraction() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new RangeError('nothing to choose from');
  }

  pick<T>(choices: readonly T[]): T {
    return this.weighted(choices.map((choice) => [choice, 1] as const));
  }
}
