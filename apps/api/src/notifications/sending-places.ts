/** Each name has so many places. What finds none free waits for the next one, in order. */
export class SendingPlaces {
  private readonly taken = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly most: number) {}

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const others = this.taken.get(name) ?? 0;
    if (others < this.most) this.taken.set(name, others + 1);
    else await this.turn(name);
    try {
      return await work();
    } finally {
      this.leave(name);
    }
  }

  private async turn(name: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const line = this.waiting.get(name) ?? [];
    this.waiting.set(name, line);
    line.push(resolve);
    await promise;
  }

  /** The place is handed over, so that nobody comes before those who wait. */
  private leave(name: string): void {
    const line = this.waiting.get(name);
    const next = line?.shift();
    if (line?.length === 0) this.waiting.delete(name);
    if (next) return next();
    const left = (this.taken.get(name) ?? 1) - 1;
    if (left > 0) this.taken.set(name, left);
    else this.taken.delete(name);
  }
}
