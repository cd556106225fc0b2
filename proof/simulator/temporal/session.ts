import { type Making, making } from '../core/making.js';
import { Execution } from './execution.js';
import {
  type ActivityCommand,
  type Activation,
  type Command,
  type Job,
  asOneTask,
  copiesOf,
  copyOf,
  fingerprintOf,
} from './history.js';
import type { Run, Task, TaskServer, TaskWork } from './run.js';
import { taskTimeoutMs } from './task-timeout.js';
import type { Worker } from './worker.js';

/** A worker shows that it lives before its task times out, and what it has done so far becomes history. */
const heartbeatMs = 0.8 * taskTimeoutMs;

/** A worker that got its task late shows it after the server's time is over. */
const tooLateMs = 5_000;

/** The server suggests another run from here on: earlier than it does, for replays of long histories cost much. */
const longHistory = 80;

/**
 * A worker's work on one run, from a workflow task to its completion, local activities included. Its task may be lost
 * long before it knows.
 */
export class Session implements TaskWork {
  private execution: Execution | undefined;
  private task: Task | undefined;
  /** What tasks have brought since history was last written, lost ones included. */
  private readonly given = new Set<Job>();
  /** How long the history was then. */
  private written = 0;
  /** What has come to the run, and of it, since then. */
  private activations: Activation[] = [];
  private commands: Command[] = [];
  /** Those of tasks that have come to nothing but signs of life so far. */
  private keptAlive: Activation[] = [];
  private readonly local = new Set<number>();
  private readonly makings = new Map<number, Making>();

  constructor(
    private readonly server: TaskServer,
    private readonly run: Run,
    private readonly worker: Worker,
  ) {}

  mayGoOn(task: Task): boolean {
    const { execution, given, run } = this;
    if (!execution || !this.task || this.local.size === 0) return false;
    if (run.history.length !== this.written || this.keptAlive.length > 0) return false;
    // The server has forgotten the updates of what is lost.
    if ([...given].some(({ type }) => type === 'updated')) return false;
    // That something has ended which was cancelled meanwhile the SDK takes for an error, and replays.
    return execution.awaits(this.newOf(task));
  }

  async goOn(task: Task): Promise<void> {
    const jobs = this.newOf(task);
    this.server.world.tell(() => `${this.worker.name} goes on with ${this.run.id} within its step`);
    this.take(task);
    if (jobs.length > 0) await this.work(() => this.step(jobs));
    this.activations = asOneTask(this.activations, this.given, task.startedAt);
    this.beat(task);
  }

  private newOf({ jobs }: Task): Job[] {
    return jobs.filter((job) => !this.given.has(job));
  }

  private take(task: Task): void {
    this.task = task;
    for (const job of task.jobs) this.given.add(job);
  }

  async begin(task: Task): Promise<void> {
    this.take(task);
    this.written = this.run.history.length;
    await this.work(async () => {
      const { cache } = this.worker;
      const kept = cache.get(this.run.id);
      cache.delete(this.run.id);
      const isKept = kept?.at === this.run.history.length && kept.at > 0;
      this.execution = isKept ? kept.execution : await this.replay();
      await this.step(task.jobs);
    });
    this.beat(task);
  }

  /** Local activities whose results no task has completed with are made again. */
  private async replay(): Promise<Execution> {
    const workflow = this.server.workflows[this.run.type];
    if (!workflow) throw new Error(`no workflow ${this.run.type}`);
    const execution = new Execution((input) => workflow(input as never));
    execution.isReplaying = true;
    const unfinished = new Map<number, ActivityCommand>();
    let asked: Command[] = [];
    for (const activation of this.run.history) {
      const commands = await execution.activate(activation);
      for (const job of activation.jobs) if (job.type === 'activityEnded') unfinished.delete(job.seq);
      for (const command of commands)
        if (command.type === 'localActivity') unfinished.set(command.seq, command);
      asked.push(...commands);
      if (activation.fingerprint === undefined) continue;
      const fingerprint = fingerprintOf(asked);
      asked = [];
      if (fingerprint === activation.fingerprint) continue;
      this.server.world.violate('not deterministic', `${this.run.id}: ${fingerprint}`);
    }
    execution.isReplaying = false;
    for (const command of unfinished.values()) this.perform(command, 1);
    return execution;
  }

  private async step(jobs: readonly Job[]): Promise<void> {
    const { execution, server } = this;
    const { clock, draws } = server.world;
    if (!execution) return;
    const suggestsContinueAsNew = this.run.history.length > longHistory || draws.chance('suggestion', 0.002);
    const given = { at: clock.now, jobs: [...jobs], suggestsContinueAsNew };
    const commands = await execution.activate(given);
    this.activations.push({
      ...given,
      jobs: jobs.filter((job) => job.type !== 'updated' || !execution.refusedUpdates.has(job.id)),
    });
    this.commands.push(...commands);
    for (const command of commands) if (command.type === 'localActivity') this.perform(command, 1);
    if (this.local.size === 0) this.finish();
  }

  private perform(command: ActivityCommand, attempt: number): void {
    const { clock } = this.server.world;
    const { seq, name, args, options } = command;
    this.local.add(seq);
    let isOver = false;
    const once = (ms: number, then: () => void) => {
      if (isOver) return;
      isOver = true;
      clock.after(ms, () => {
        if (this.worker.isAlive && this.local.has(seq)) then();
      });
    };
    const again = () => this.perform(command, attempt + 1);
    const backOff = Math.min(options.longestRetryMs, options.firstRetryMs * 2 ** (attempt - 1));
    clock.after(options.startToCloseMs, () => once(0, again));
    this.server.world.tell(() => `${this.worker.name}: ${name}${attempt > 1 ? `, try ${attempt}` : ''}`);
    const made: Making = { isInHistory: false };
    making
      .run(made, async () => await this.worker.perform(name, copiesOf(args)))
      .then(
        (result) =>
          once(0, () => {
            this.makings.set(seq, made);
            void this.ended(seq, copyOf(result));
          }),
        (error: unknown) => {
          if (!isOurs(error)) this.server.world.violate('bug', String((error as Error).stack));
          once(backOff, again);
        },
      );
  }

  private async ended(seq: number, result: unknown): Promise<void> {
    this.local.delete(seq);
    if (!this.task) return;
    await this.work(() => this.step([{ type: 'activityEnded', seq, result }]));
  }

  private beat(task: Task, lateMs = 0): void {
    const { clock, faults } = this.server.world;
    clock.at(task.startedAt + heartbeatMs + lateMs, async () => {
      if (this.task !== task || !this.worker.isAlive) return;
      const words = `${this.worker.name} says too late that it lives`;
      if (lateMs === 0 && faults.strikes('sign of life late', 0.1, words)) return this.beat(task, tooLateMs);
      this.keptAlive.push(...this.activations);
      const isQuiet = this.run.isQuiet;
      const next = this.write(task, true);
      if (typeof next === 'string') return;
      this.take(next);
      if (isQuiet && this.run.isQuiet && next.jobs.length === 0) this.moveTime(next);
      else this.keptAlive = [];
      if (next.jobs.length > 0) await this.work(() => this.step(next.jobs));
      this.beat(next);
    });
  }

  /**
   * A replay takes a task that was kept alive for one that began with the last of its signs of life; but not where the task
   * before it has left an event, as commands and ended local activities do.
   */
  private moveTime({ startedAt }: Task): void {
    for (const activation of this.keptAlive) activation.at = startedAt;
  }

  private finish(): void {
    const { task, execution } = this;
    if (!task || !execution || !this.worker.isAlive) return;
    const { faults, clock, draws } = this.server.world;
    const isLost = faults.strikes(
      'completion lost',
      0.015,
      `what ${this.worker.name} did with its task never arrives`,
    );
    this.task = undefined;
    if (isLost) return;
    // On its way something else may come to the run.
    clock.after(draws.between('completion', 0, 4), () => {
      if (!this.worker.isAlive) return;
      const outcome = this.write(task, false);
      if (outcome !== 'done' || this.run.ended) return;
      this.worker.cache.set(this.run.id, { execution, at: this.run.history.length });
    });
  }

  private write(task: Task, isHeartbeat: boolean): ReturnType<TaskServer['complete']> {
    const last = this.activations.at(-1);
    if (last) last.fingerprint = fingerprintOf(this.commands);
    const outcome = this.server.complete(this.run, task, this.activations, this.commands, isHeartbeat);
    if (outcome !== 'refused') this.noteMade();
    this.activations = [];
    this.commands = [];
    this.given.clear();
    this.written = this.run.history.length;
    if (outcome === 'refused') this.task = undefined;
    return outcome;
  }

  private noteMade(): void {
    for (const job of this.activations.flatMap(({ jobs }) => jobs)) {
      const made = job.type === 'activityEnded' ? this.makings.get(job.seq) : undefined;
      if (made) made.isInHistory = true;
    }
  }

  private async work(part: () => Promise<void>): Promise<void> {
    await this.server.world.clock.busy(part);
  }
}

/** What a try may fail by without anything being wrong with the code: see rows/database.ts. */
function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name === 'DatabaseAwayError';
}
