import type { World } from '../core/world.js';

/** Reads are never cut short twice within this time: two that agree are believed, a second apart (decision 0009). */
const betweenCutsMs = 40_000;
/** After an outage some answers are incomplete for a while. */
const recoveryMs = 300_000;

/** How the provider is: the same for all workers. */
export class Health {
  private awayUntil = 0;
  private readonly lastCut = new Map<string, number>();

  constructor(private readonly world: World) {}

  get isAway(): boolean {
    return this.world.clock.now < this.awayUntil;
  }

  /** With an answer, or without one. */
  mayGoAway(operation: string): boolean {
    const { faults } = this.world;
    if (this.isAway || !faults.strikes('outage', 0.008, `the provider goes away during ${operation}`))
      return false;
    this.goAway();
    return true;
  }

  /** Before anything is sent. */
  mayGoAwayAtReturn(): void {
    const { coincidence, faults } = this.world;
    if (coincidence !== 'outage at a return' || this.isAway) return;
    if (faults.strikes('outage at a return', 0.7, 'the provider goes away as a payer comes back'))
      this.goAway();
  }

  /** For up to three horizons. */
  private goAway(): void {
    const { clock, draws } = this.world;
    const isLong = draws.chance('long outage', 0.5);
    this.awayUntil =
      clock.now + (isLong ? draws.between('outage', 60_000, 360_000) : draws.spread('outage', 1_000, 60_000));
    this.world.tell(() => `provider: away until ${new Date(this.awayUntil).toISOString()}`);
  }

  cutsShort(operation: string): boolean {
    const { clock, draws, faults } = this.world;
    const last = this.lastCut.get(operation) ?? Number.NEGATIVE_INFINITY;
    if (clock.now - last < betweenCutsMs) return false;
    const isRecovering = this.awayUntil > 0 && clock.now - this.awayUntil < recoveryMs;
    const isCut = isRecovering
      ? draws.chance('cut short after an outage', 0.4)
      : faults.strikes(`${operation} cut short`, 0.03, `${operation}: the answer is cut short`);
    if (isCut) this.lastCut.set(operation, clock.now);
    return isCut;
  }
}
