import { setTimeout as wait } from 'node:timers/promises';

/**
 * Checks the dependencies of a process. Each check has a time limit, because a hanging dependency keeps its connections
 * open.
 */
export class Readiness<Part extends string = string> {
  private readonly looks = new Map<string, Promise<unknown>>();

  constructor(
    /** The checks by name; each rejects if its dependency is away. */
    private readonly parts: Readonly<Record<Part, () => Promise<unknown>>>,
    private readonly withinMs = 2_000,
  ) {}

  /** Names of the parts that do not answer in time. */
  async missing(): Promise<Part[]> {
    const answers = await Promise.all(
      (Object.keys(this.parts) as Part[]).map(async (name) => [name, await this.answers(name)] as const),
    );
    const missing: Part[] = answers.flatMap(([name, isThere]) => (isThere ? [] : [name]));
    // If the database does not answer, its clock is not reported as well.
    return missing.filter((name) => name !== 'clock' || !missing.some((other) => other === 'database'));
  }

  private async answers(name: Part): Promise<boolean> {
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

  /** One check at a time per dependency: unanswered ones would use up a connection pool. */
  private async look(name: Part): Promise<unknown> {
    const look = this.looks.get(name) ?? this.parts[name]();
    this.looks.set(name, look);
    return await look.finally(() => this.looks.delete(name));
  }
}
