/** Chances that a seed repeats: mulberry32, so that a failing run can be run again as it was. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** At least 0, below the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  text(length: number): string {
    return Array.from({ length }, () =>
      String.fromCodePoint(1 + this.below(this.happens(0.8) ? 0xfe : 0xd700)),
    ).join('');
  }
}
