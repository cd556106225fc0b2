import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '#tools/failure.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import type { VictimSort } from './victim-sorts.js';

/**
 * What a process may not outlive: it ends by itself, and whoever supervises it starts it again. Any other end that
 * nobody asked for is an accident.
 */
const standsOn: Readonly<Record<string, readonly VictimSort[]>> = {
  worker: ['temporal', 'temporal-postgres'],
  temporal: ['temporal-postgres'],
};
/** So long after its ground is back a process may still give up for want of it. */
const aftermathMs = 60_000;
const comesBackWithinMs = 180_000;
const tryAgainAfterMs = 500;

/** Starts again what was killed, and what has ended because that was away: a production supervisor's part. */
export class Keeper {
  readonly accidents: string[] = [];
  #restarts = 0;
  readonly #processes = new Map<string, ManagedProcess>();
  /** When each sort was last away; infinite while it is. */
  readonly #awayUntil = new Map<VictimSort, number>();
  readonly #starting = new Map<ManagedProcess, Promise<void>>();
  readonly #restarting = new Set<Promise<void>>();

  constructor(private readonly report: (line: string) => void) {}

  /** Processes that ended by themselves because what they stand on was killed, and were started again. */
  get restarts(): number {
    return this.#restarts;
  }

  keep(processes: readonly ManagedProcess[]): void {
    for (const process of processes) this.#processes.set(process.name, process);
  }

  expectsLossOf(sort: VictimSort): void {
    this.#awayUntil.set(sort, Infinity);
  }

  /** @throws Failure when it does not come back. */
  async revive(process: ManagedProcess, sort: VictimSort): Promise<void> {
    await this.#ensureRunning(process);
    this.#awayUntil.set(sort, Date.now());
  }

  /** Told of a process that ended without having been asked to. */
  noteEnd(sentence: string, name: string): void {
    const process = this.#processes.get(name);
    if (!process || !this.#isExcused(name)) {
      this.accidents.push(sentence);
      if (!process) return;
    }
    this.#restarts += 1;
    this.report(`${sentence} It is started again.`);
    const restarting = this.#ensureRunning(process).catch((error: unknown) => {
      this.accidents.push(error instanceof Error ? error.message : String(error));
    });
    this.#restarting.add(restarting);
    void restarting.finally(() => this.#restarting.delete(restarting));
  }

  /** Resolves when nothing is being started again. */
  async untilSettled(): Promise<void> {
    while (this.#restarting.size > 0) await Promise.all(this.#restarting);
  }

  #isExcused(name: string): boolean {
    const grounds = standsOn[name.replace(/-\d+$/, '')] ?? [];
    return grounds.some((sort) => Date.now() < (this.#awayUntil.get(sort) ?? 0) + aftermathMs);
  }

  /** One start at a time for a process, whoever asks. */
  async #ensureRunning(process: ManagedProcess): Promise<void> {
    const starting = this.#starting.get(process) ?? this.#start(process);
    this.#starting.set(process, starting);
    await starting;
  }

  /** Repeated: a process can be killed while it starts, or start before what it stands on is back. */
  async #start(process: ManagedProcess): Promise<void> {
    try {
      for (const patience = Date.now() + comesBackWithinMs; !process.isRunning;) {
        try {
          await process.start();
        } catch (error) {
          if (!(error instanceof Failure) || Date.now() > patience) throw error;
          await sleep(tryAgainAfterMs);
        }
      }
    } finally {
      this.#starting.delete(process);
    }
  }
}
