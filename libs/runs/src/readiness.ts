import { setTimeout as wait } from 'node:timers/promises';

/** Looks at the parts that a process needs; each look is bounded, for a part that is frozen keeps its connections open. */
export class Readiness {
  private readonly looks = new Map<string, Promise<unknown>>();

  constructor(
    /** By name, each rejecting when the part is away. */
    private readonly parts: Readonly<Record<string, () => Promise<unknown>>>,
    private readonly withinMs = 2_000,
  ) {}

  /** Names of the parts that do not answer in time. */
  async missing(): Promise<string[]> {
    const answers = await Promise.all(
      Object.keys(this.parts).map(async (name) => [name, await this.answers(name)] as const),
    );
    return answers.flatMap(([name, isThere]) => (isThere ? [] : [name]));
  }

  private async answers(name: string): Promise<boolean> {
    const late = new AbortController();
    try {
      return await Promise.race([
        this.look(name).then(() => true),
        wait(this.withinMs, false, { signal: late.signal }),
      ]);
    } catch {
      return false;
    } finally {
      late.abort();
    }
  }

  /** One at a time: those that are not answered would take all connections of a pool. */
  private async look(name: string): Promise<unknown> {
    const look = this.looks.get(name) ?? this.parts[name]?.() ?? Promise.resolve();
    this.looks.set(name, look);
    return await look.finally(() => this.looks.delete(name));
  }
}
