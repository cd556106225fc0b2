/**
 * Random draws from a seed. Each draw depends on its name and on the number of earlier draws of that name. So removing
 * a fault, to find the shortest trace, changes as few other draws as possible.
 */
export class Draws {
  private readonly counts = new Map<string, number>();

  constructor(private readonly seed: number) {}

  /** From 0 to 1, without 1. */
  unit(name: string): number {
    const count = this.counts.get(name) ?? 0;
    this.counts.set(name, count + 1);
    return mixed(this.seed ^ hashOf(name), count) / 2 ** 32;
  }

  chance(name: string, probability: number): boolean {
    return this.unit(name) < probability;
  }

  /** A whole number from `low` to `high`, both included. */
  between(name: string, low: number, high: number): number {
    return low + Math.floor(this.unit(name) * (high - low + 1));
  }

  /** Small ones as likely as large ones: as often between 1 and 10 as between 10 and 100. */
  spread(name: string, low: number, high: number): number {
    return Math.round(low * (high / low) ** this.unit(name));
  }

  pick<T>(name: string, choices: readonly T[]): T {
    const chosen = choices[this.between(name, 0, choices.length - 1)];
    if (chosen === undefined) throw new Error(`nothing to pick for ${name}`);
    return chosen;
  }
}

const hashes = new Map<string, number>();

function hashOf(text: string): number {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hashes.set(text, hash);
  return hash;
}

/** The finalizer of MurmurHash3, twice. */
export function mixed(seed: number, count: number): number {
  return finalized(finalized(seed + 0x9e3779b9) + Math.imul(count + 1, 0x85ebca6b));
}

function finalized(value: number): number {
  let mix = value | 0;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return (mix ^ (mix >>> 16)) >>> 0;
}
