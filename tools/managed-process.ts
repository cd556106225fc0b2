import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.js';
import { identify, type ProcessIdentity } from './process-table.js';

export interface ProcessSpecification {
  /** Unique within its data folder; names the log file. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
  /** POSIX user to run as; only root may choose one. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Default SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Milliseconds between the stop signal and SIGKILL; default 15,000. */
  readonly stopGraceMs?: number;
  /** Done before each start: what an earlier process of it has left is cleared away. */
  readonly beforeStart?: () => Promise<void>;
  /** Asked again and again until it answers true; a rejection counts as "not yet". */
  readonly isReady: () => Promise<boolean>;
  /** What it must have written before it is asked at all. */
  readonly saysWhenStarted?: RegExp;
  /** Milliseconds; default 180,000: what ends or answers is seen at once, so this is for what hangs. */
  readonly readyWithinMs?: number;
}

interface Observer {
  started(identity: ProcessIdentity, stopSignal: NodeJS.Signals): void;
  ended(identity: ProcessIdentity): void;
  endedUnexpectedly(sentence: string): void;
  endedLate(sentence: string): void;
}

const largestLogBytes = 20 * 1024 * 1024;
const tailBytes = 4_000;

/** One supervised child in a process group of its own, so that a terminal's Ctrl-C reaches the supervisor only. */
export class ManagedProcess {
  readonly name: string;
  #running: { child: ChildProcess; identity: ProcessIdentity; exited: Promise<void> } | undefined;
  #isEndExpected = false;
  /** Where the output of the present child begins in its log. */
  #logStart = 0;

  constructor(
    private readonly specification: ProcessSpecification,
    private readonly logFile: string,
    private readonly observer: Observer,
  ) {
    this.name = specification.name;
  }

  get pid(): number | undefined {
    return this.#running?.identity.pid;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the process is ready. @throws Failure with the end of its log when it ends or takes too long. */
  async start(): Promise<void> {
    if (this.#running) throw new Error(`${this.name} is running already`);
    this.#isEndExpected = true;
    await this.specification.beforeStart?.();
    await this.#spawn();
    await this.#untilReady();
    this.#isEndExpected = false;
  }

  /** Asks the process to end, waits, and kills its whole group when it takes too long. */
  async stop(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#isEndExpected = true;
    running.child.kill(this.specification.stopSignal ?? 'SIGTERM');
    const graceMs = this.specification.stopGraceMs ?? 15_000;
    const grace = new AbortController();
    const outcome = await Promise.race([
      running.exited.then(() => 'exited'),
      sleep(graceMs, 'late', { signal: grace.signal }).catch(() => 'exited'),
    ]);
    grace.abort();
    if (outcome === 'exited') return;
    await this.kill();
    this.observer.endedLate(`${this.name} did not end within ${graceMs / 1000} s and was killed`);
  }

  /** SIGKILL to the process group: what a crash, or the kernel short of memory, does. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (!running) return;
    this.#isEndExpected = true;
    signalGroup(running.identity.pid, 'SIGKILL');
    await running.exited;
  }

  /** SIGSTOP to the process group: what a frozen container or a paused machine does to it. */
  pause(): void {
    this.#signalGroup('SIGSTOP');
  }

  /** Ends a pause. */
  resume(): void {
    this.#signalGroup('SIGCONT');
  }

  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#running) signalGroup(this.#running.identity.pid, signal);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** The last lines that the process wrote. */
  logTail(): string {
    const bytes = readFileSync(this.logFile);
    return bytes
      .subarray(Math.max(0, bytes.length - tailBytes))
      .toString('utf8')
      .trim();
  }

  async #spawn(): Promise<void> {
    const { command, args, env, workingFolder, user } = this.specification;
    const log = openLog(this.logFile);
    this.#logStart = fstatSync(log).size;
    const child = spawn(command, args, {
      cwd: workingFolder,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', log, log],
      detached: true,
      ...user,
    });
    closeSync(log);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw new Failure(`${this.name} could not be started: ${(error as Error).message}.`);
    }
    this.#observe(child);
  }

  #observe(child: ChildProcess): void {
    const pid = child.pid ?? 0;
    const identity = identify(pid) ?? { pid, startedAt: 'ended at once' };
    const exited = new Promise<void>((resolve) => {
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
        signalGroup(pid, 'SIGKILL');
        this.#running = undefined;
        this.observer.ended(identity);
        resolve();
        if (!this.#isEndExpected)
          this.observer.endedUnexpectedly(endedMessage(this.name, code, signal, this.logFile));
      };
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
      else child.once('exit', onExit);
    });
    if (child.exitCode !== null || child.signalCode !== null) return;
    this.#running = { child, identity, exited };
    this.observer.started(identity, this.specification.stopSignal ?? 'SIGTERM');
  }

  async #untilReady(): Promise<void> {
    const withinMs = this.specification.readyWithinMs ?? 180_000;
    const deadline = Date.now() + withinMs;
    while (Date.now() < deadline) {
      if (!this.#running)
        throw new Failure(`${this.name} ended before it was ready. Its last lines:\n${this.logTail()}`);
      if (this.#hasSaidThatItStarted() && (await this.specification.isReady().catch(() => false))) return;
      await sleep(50);
    }
    const tail = this.logTail();
    await this.kill();
    throw new Failure(`${this.name} was not ready within ${withinMs / 1000} s. Its last lines:\n${tail}`);
  }

  #hasSaidThatItStarted(): boolean {
    const { saysWhenStarted } = this.specification;
    return (
      !saysWhenStarted || saysWhenStarted.test(readFileSync(this.logFile).toString('utf8', this.#logStart))
    );
  }
}

export function endedMessage(
  name: string,
  code: number | null,
  signal: NodeJS.Signals | null,
  logFile: string,
): string {
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
  return `${name} ${how} without being asked to: see ${logFile}.`;
}

/** npm's variables describe the command that the user typed, not the child. */
function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLogBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}
