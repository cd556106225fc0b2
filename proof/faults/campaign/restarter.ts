import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '#tools/failure.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import type { VictimKind } from './victim-kinds.js';

/**
 * The dependencies without which a process ends by itself; its supervisor restarts it. Every other unrequested end is
 * an accident.
 */
const dependenciesOf: Readonly<Record<string, readonly VictimKind[]>> = {
  worker: ['temporal', 'temporal-postgres'],
  temporal: ['temporal-postgres'],
};
/** How long after its dependency is back a process may still end because of it. */
const aftermathMs = 60_000;
const comesBackWithinMs = 180_000;
const tryAgainAfterMs = 500;

/**
 * Restarts killed processes, and processes that ended because a dependency was away, like a supervisor in production.
 */
export class Restarter {
  readonly accidents: string[] = [];
  #restarts = 0;
  readonly #processes = new Map<string, ManagedProcess>();
  /** When each kind was last away; infinite while it is. */
  readonly #awayUntil = new Map<VictimKind, number>();
  readonly #starting = new Map<ManagedProcess, Promise<void>>();
  readonly #restarting = new Set<Promise<void>>();

  constructor(private readonly report: (line: string) => void) {}

  /** Processes that ended by themselves because a dependency was killed, and were started again. */
  get restarts(): number {
    return this.#restarts;
  }

  keep(processes: readonly ManagedProcess[]): void {
    for (const process of processes) this.#processes.set(process.name, process);
  }

  expectsLossOf(kind: VictimKind): void {
    this.#awayUntil.set(kind, Infinity);
  }

  /** @throws Failure when it does not come back. */
  async revive(process: ManagedProcess, kind: VictimKind): Promise<void> {
    await this.#ensureRunning(process);
    this.#awayUntil.set(kind, Date.now());
  }

  /** Records a process that ended without a request. */
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

  /** Resolves when no restart is under way. */
  async untilSettled(): Promise<void> {
    while (this.#restarting.size > 0) await Promise.all(this.#restarting);
  }

  #isExcused(name: string): boolean {
    const dependencies = dependenciesOf[name.replace(/-\d+$/, '')] ?? [];
    return dependencies.some((kind) => Date.now() < (this.#awayUntil.get(kind) ?? 0) + aftermathMs);
  }

  /** Allows one start of a process at a time. */
  async #ensureRunning(process: ManagedProcess): Promise<void> {
    const starting = this.#starting.get(process) ?? this.#start(process);
    this.#starting.set(process, starting);
    await starting;
  }

  /** Retries: a process can be killed while it starts, or start before its dependencies are back. */
  async #start(process: ManagedProcess): Promise<void> {
    try {
      for (const deadline = Date.now() + comesBackWithinMs; !process.isRunning;) {
        try {
          await process.start();
        } catch (error) {
          if (!(error instanceof Failure) || Date.now() > deadline) throw error;
          await sleep(tryAgainAfterMs);
        }
      }
    } finally {
      this.#starting.delete(process);
    }
  }
}
