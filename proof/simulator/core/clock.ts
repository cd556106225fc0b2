/** An event that is due at an instant; it can be cancelled until then. */
export interface Due {
  readonly at: number;
  readonly order: number;
  happen(): void | Promise<void>;
  isCancelled: boolean;
}

/**
 * The clock of a world, with its due events. It jumps from one instant to the next, and only after all work of the last
 * instant is done.
 */
export class Clock {
  now: number;
  steps = 0;
  /** True if no event requires the clock to continue. */
  isStopped = false;
  /** Parts of the world that are not at rest although no promise of theirs is pending: see `busy`. */
  private working = 0;
  private order = 0;
  private readonly heap: Due[] = [];

  constructor(start: number) {
    this.now = start;
  }

  after(ms: number, happen: Due['happen']): Due {
    return this.at(this.now + ms, happen);
  }

  at(instant: number, happen: Due['happen']): Due {
    const due: Due = {
      at: Math.max(instant, this.now),
      order: (this.order += 1),
      happen,
      isCancelled: false,
    };
    this.push(due);
    return due;
  }

  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.after(ms, resolve));
  }

  /** Work that needs more than one turn of the event loop; the clock stands still until it is done. */
  async busy(work: () => Promise<void>): Promise<void> {
    this.working += 1;
    try {
      await work();
    } finally {
      this.working -= 1;
    }
  }

  /** @returns false when steps or time ran out before everything was done. */
  async run(until: number, mostSteps: number): Promise<boolean> {
    for (;;) {
      const due = this.pop();
      if (!due) return true;
      if (due.isCancelled) continue;
      if (this.isStopped || due.at > until || this.steps >= mostSteps) return false;
      this.now = due.at;
      this.steps += 1;
      await due.happen();
      do await rest();
      while (this.working > 0);
    }
  }

  private push(due: Due): void {
    const { heap } = this;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || !isBefore(due, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = due;
  }

  private pop(): Due | undefined {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (let below = this.firstBelow(0); below; below = this.firstBelow(at)) {
      if (!isBefore(below.due, last)) break;
      heap[at] = below.due;
      ({ at } = below);
    }
    heap[at] = last;
    return first;
  }

  /** Of the two below a place in the heap that which comes first. */
  private firstBelow(place: number): { readonly at: number; readonly due: Due } | undefined {
    const at = 2 * place + 1;
    const [left, right] = [this.heap[at], this.heap[at + 1]];
    if (!left) return undefined;
    return right && isBefore(right, left) ? { at: at + 1, due: right } : { at, due: left };
  }
}

/**
 * Resolves when no promise can continue by itself: Node runs next ticks when the promise queue is empty, which needs no
 * turn of the event loop.
 */
export async function rest(): Promise<void> {
  await new Promise<void>((resolve) => process.nextTick(resolve));
}

function isBefore(one: Due, other: Due): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
