import type { Clock } from './clock.js';
import { type Coincidence, timesAsOften } from './coincidences.js';
import type { Draws } from './draws.js';

/** One thing that went wrong in a world. */
export interface Fault {
  /** The same fault in a world that differs only by what was left out. */
  readonly id: string;
  readonly at: number;
  readonly words: string;
}

/** Decides what goes wrong, and remembers it. */
export class Faults {
  readonly struck: Fault[] = [];
  /** Whether the faults of the coincidence strike more often at present. */
  isCoinciding = true;
  private readonly counts = new Map<string, number>();
  /** The most faults in a world; afterwards everything must end without further faults. */
  private readonly most: number;

  /** @param allowed ids of those that may strike; all where it is absent. */
  constructor(
    private readonly clock: Clock,
    private readonly draws: Draws,
    private readonly allowed: ReadonlySet<string> | undefined,
    private readonly coincidence?: Coincidence,
  ) {
    this.most = draws.between('most faults', 0, 12);
  }

  strikes(kind: string, probability: number, words: string): boolean {
    if (this.struck.length >= this.most) return false;
    const count = this.counts.get(kind) ?? 0;
    this.counts.set(kind, count + 1);
    const times = this.isCoinciding ? timesAsOften(this.coincidence, kind) : 1;
    if (!this.draws.chance(`fault ${kind}`, probability * times)) return false;
    const id = `${kind}#${count}`;
    if (this.allowed && !this.allowed.has(id)) return false;
    this.struck.push({ id, at: this.clock.now, words });
    return true;
  }
}
