import type { World } from '../core/world.js';
import type { Execution } from './execution.js';

/** What runs on a worker: its code, and the connections that it has of its own. */
export type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** A worker's process. Killed, it does nothing more: what it waits for never comes. */
export class Worker {
  isAlive = true;
  /** Runs that it holds in memory, with the length of the history that they have come to. */
  readonly cache = new Map<string, { readonly execution: Execution; readonly at: number }>();
  private readonly onEffect = new Set<() => void>();
  activities: Activities = {};

  constructor(
    private readonly world: World,
    readonly name: string,
  ) {}

  /**
   * What goes out of the process, or comes back to it, takes its time; between any two of them it can be killed.
   * Never returns to a process that was.
   */
  async hop(ms: number): Promise<void> {
    for (const strike of this.onEffect) strike();
    if (this.isAlive) await this.world.clock.sleep(ms);
    if (!this.isAlive) await new Promise<never>(() => undefined);
  }

  /** Has something happen at the n-th effect from now on; the returned function takes it back. */
  atEffect(n: number, strike: () => void): () => void {
    let left = n;
    const count = () => {
      left -= 1;
      if (left > 0) return;
      this.onEffect.delete(count);
      strike();
    };
    this.onEffect.add(count);
    return () => this.onEffect.delete(count);
  }

  kill(): void {
    this.isAlive = false;
    this.cache.clear();
    this.world.tell(() => `${this.name} dies`);
  }

  async perform(name: string, args: readonly unknown[]): Promise<unknown> {
    const activity = this.activities[name];
    if (!activity) throw new Error(`no activity ${name}`);
    return await activity(...(args as never[]));
  }
}

/** Two workers; a successor takes the place of one that dies. */
export class Workers {
  readonly all: Worker[] = [];
  private born = 0;

  constructor(
    private readonly world: World,
    private readonly equip: (worker: Worker) => Activities,
  ) {
    this.bear();
    this.bear();
  }

  kill(worker: Worker): void {
    if (!worker.isAlive) return;
    worker.kill();
    const { clock, draws } = this.world;
    clock.after(draws.spread('restart', 200, 20_000), () => this.bear());
  }

  /** @param last the one that has the run in memory, which is asked first. */
  choose(last: Worker | undefined): Worker | undefined {
    if (last?.isAlive && !this.world.draws.chance('other worker', 0.04)) return last;
    const alive = this.all.filter(({ isAlive }) => isAlive);
    return alive.length > 0 ? this.world.draws.pick('worker', alive) : undefined;
  }

  private bear(): void {
    this.born += 1;
    const worker = new Worker(this.world, `worker ${this.born}`);
    worker.activities = this.equip(worker);
    this.all.push(worker);
  }
}
