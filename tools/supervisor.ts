import { spawn, type ChildProcess } from 'node:child_process';
import { extname, join } from 'node:path';
import { Failure } from './failure.js';
import type { GuardianMessage } from './guardian.js';
import { ManagedProcess, type ProcessSpecification } from './managed-process.js';
import { claimDataFolder, forgetProcess, recordProcess, releaseDataFolder } from './process-records.js';

export interface SupervisorOptions {
  /** Where logs and process records are kept; one supervisor at a time. */
  readonly dataFolder: string;
  /** Called with one sentence when a child ends unasked, and with the name that it was started under. */
  readonly onUnexpectedEnd?: (sentence: string, name: string, child: ManagedProcess) => void;
  readonly report?: (line: string) => void;
}

/**
 * The children of this process. They end with it: by `stopAll` when it ends in order, by the guardian when it is
 * killed, by the records in the data folder when both are killed.
 */
export class Supervisor {
  readonly #children: ManagedProcess[] = [];
  #guardian: ChildProcess | undefined;
  #isStopping = false;

  private constructor(private readonly options: SupervisorOptions) {}

  /** @throws Failure when another living supervisor holds the data folder. */
  static async open(options: SupervisorOptions): Promise<Supervisor> {
    const orphans = await claimDataFolder(options.dataFolder);
    if (orphans.length > 0) options.report?.(`ended what an earlier run had left: ${orphans.join(', ')}`);
    return new Supervisor(options);
  }

  get dataFolder(): string {
    return this.options.dataFolder;
  }

  /** Starts a child and resolves when it is ready. @throws Failure when it does not get there. */
  async start(specification: ProcessSpecification): Promise<ManagedProcess> {
    if (this.#isStopping) throw new Failure(`Stopped before ${specification.name} was started.`);
    const child = this.add(specification);
    await child.start();
    if (this.#isStopping) {
      await child.stop();
      throw new Failure(`Stopped while ${specification.name} was starting.`);
    }
    return child;
  }

  /** A child that is not started yet. */
  add(specification: ProcessSpecification): ManagedProcess {
    const { dataFolder, onUnexpectedEnd } = this.options;
    const child: ManagedProcess = new ManagedProcess(
      specification,
      join(dataFolder, 'logs', `${specification.name}.log`),
      {
        started: (identity, stopSignal) => {
          recordProcess(dataFolder, { ...identity, name: specification.name, stopSignal });
          this.#tellGuardian({ guard: identity.pid, stopSignal });
        },
        ended: (identity) => {
          forgetProcess(dataFolder, specification.name);
          this.#tellGuardian({ release: identity.pid });
        },
        endedUnexpectedly: (sentence) => onUnexpectedEnd?.(sentence, specification.name, child),
        endedLate: (sentence) => this.options.report?.(sentence),
      },
    );
    this.#children.push(child);
    return child;
  }

  /** Stops every child, the last started first, so that no child loses a child that it depends on. */
  async stopAll(): Promise<void> {
    this.#isStopping = true;
    for (const child of this.#children.toReversed()) await child.stop();
    this.#guardian?.stdin?.end();
    this.#guardian = undefined;
    releaseDataFolder(this.dataFolder);
  }

  /** Kills every child at once: for someone who does not want to wait. */
  async killAll(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#children.map((child) => child.kill()));
  }

  #tellGuardian(message: GuardianMessage): void {
    this.#guardian ??= startGuardian();
    this.#guardian.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

function startGuardian(): ChildProcess {
  const guardian = spawn(
    process.execPath,
    [join(import.meta.dirname, `guardian${extname(import.meta.filename)}`)],
    {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    },
  );
  // Neither the guardian nor the pipe to it may keep this process alive, and its loss stops no child.
  guardian.unref();
  guardian.on('error', () => {});
  guardian.stdin.on('error', () => {});
  (guardian.stdin as unknown as { unref(): void }).unref();
  return guardian;
}
