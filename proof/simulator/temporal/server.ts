import { ActivityTasks } from './activity-tasks.js';
import type { World } from '../core/world.js';
import { type Activation, type Command, type Job, copyOf, inOrder, leavesNoEvent } from './history.js';
import { type Run, type Task, type TaskServer, type UpdateAnswer, type Workflows, newRun } from './run.js';
import { Session } from './session.js';
import { taskTimeoutMs } from './task-timeout.js';
import { cancelTimer, startTimer } from './timers.js';
import type { Worker, Workers } from './worker.js';

/** Temporal's server: what it has acknowledged it keeps; what a worker has not completed, it forgets. */
export class Server implements TaskServer {
  readonly runs = new Map<string, Run>();
  /** Is told of runs that the server does not know any more. */
  onLost: (run: Run) => void = () => undefined;
  private readonly activities: ActivityTasks;

  constructor(
    readonly world: World,
    private readonly workers: Workers,
    readonly workflows: Workflows,
  ) {
    this.activities = new ActivityTasks(world, workers, (run, job) => this.add(run, job));
  }

  start(id: string, type: string, input: unknown): void {
    const known = this.runs.get(id);
    if (known && !known.ended) return;
    const run = newRun(id, type, copyOf(input), this.world.clock.now);
    this.runs.set(id, run);
    this.ask(run);
  }

  /** @returns false where there is no such run, or not any more. */
  signal(id: string, name: string, argument: unknown): boolean {
    const run = this.runs.get(id);
    if (!run || run.ended) return false;
    this.world.tell(() => `${name} reaches ${id}`);
    this.add(run, { type: 'signalled', name, argument: copyOf(argument) });
    return true;
  }

  /** Answered when a task has completed with it; until then the server itself can forget it. */
  async update(id: string, updateId: string, name: string, argument: unknown): Promise<UpdateAnswer> {
    const run = this.runs.get(id);
    if (!run || run.ended) return 'closed';
    if (run.acceptedUpdates.has(updateId)) return 'taken';
    return await new Promise((resolve) => {
      run.updates.set(updateId, resolve);
      this.add(run, { type: 'updated', id: updateId, name, argument: copyOf(argument) });
    });
  }

  /** The server forgets that a worker has the task, and what it has not written; the worker does not know. */
  forget(run: Run, task: Task): void {
    if (run.task !== task) return;
    this.world.tell(() => `the server forgets the task of ${run.id} that ${task.worker.name} has`);
    this.loseUpdates(run, run.pending.length);
    this.retry(run);
  }

  /** Of what waits for the run those among the first: their callers are told, and send them again. */
  private loseUpdates(run: Run, among: number): void {
    const lost = run.pending.flatMap((job, at) => (job.type === 'updated' && at < among ? [job.id] : []));
    run.pending = run.pending.filter((job) => job.type !== 'updated' || !lost.includes(job.id));
    for (const id of lost) this.answer(run, id, 'lost');
  }

  /**
   * What a worker has done with its task becomes history, unless the task was lost meanwhile.
   *
   * @param isHeartbeat the worker goes on with it, and is given the next task at once.
   * @returns that task, 'done', or 'refused'.
   */
  complete(
    run: Run,
    task: Task,
    activations: readonly Activation[],
    commands: readonly Command[],
    isHeartbeat: boolean,
  ): Task | 'done' | 'refused' {
    if (run.task !== task || run.ended) return 'refused';
    const isClosing = commands.some(({ type }) => type === 'complete' || type === 'continueAsNew');
    // An update that no task was given keeps no run from closing.
    const isBehind = run.pending.slice(task.taken).some(({ type }) => type !== 'updated');
    if (isClosing && isBehind) {
      this.world.tell(
        () => `the task of ${run.id} fails: something came that it has not seen (UnhandledCommand)`,
      );
      this.loseUpdates(run, task.taken);
      this.retry(run);
      return 'refused';
    }
    task.timeout.isCancelled = true;
    run.task = undefined;
    run.lastWorker = task.worker;
    run.pending.splice(0, task.taken);
    run.history.push(...activations);
    run.isQuiet = leavesNoEvent(activations, commands);
    for (const command of commands) this.carryOut(run, command);
    if (run.ended) return 'done';
    if (isHeartbeat) return this.give(run, task.worker);
    this.ask(run);
    return 'done';
  }

  private carryOut(run: Run, command: Command): void {
    switch (command.type) {
      case 'startTimer':
        return startTimer(this.world, run, command, (job) => this.add(run, job));
      case 'cancelTimer':
        return cancelTimer(run, command.seq);
      case 'activity':
        run.activities.set(command.seq, command);
        return this.activities.dispatch(run, command, 1);
      case 'complete':
        return this.close(run, { result: command.result });
      case 'fail':
        this.world.violate('run failed', `${run.id} failed: ${command.error}`);
        return this.close(run, { failure: command.error });
      case 'continueAsNew':
        this.clear(run);
        run.history = [];
        run.isQuiet = true;
        run.pending.unshift({ type: 'started', input: command.input, at: this.world.clock.now });
        return;
      case 'answerUpdate':
        if (!command.refusal) run.acceptedUpdates.add(command.id);
        return this.answer(run, command.id, command.refusal ?? 'taken');
      case 'localActivity':
        return;
    }
  }

  private close(run: Run, ended: NonNullable<Run['ended']>): void {
    run.ended = ended;
    this.clear(run);
    for (const id of run.updates.keys()) this.answer(run, id, 'closed');
    this.world.tell(() => `${run.id} closes`);
  }

  private clear(run: Run): void {
    for (const timer of run.timers.values()) timer.isCancelled = true;
    run.timers.clear();
    run.activities.clear();
    run.sessions.clear();
    for (const worker of this.workers.all) worker.cache.delete(run.id);
  }

  private add(run: Run, job: Job): void {
    if (run.ended) return;
    run.pending.push(job);
    if (job.type === 'signalled') this.failFlooded(run);
    this.ask(run);
  }

  /** The server fails a task during which a hundred messages came, and its worker goes on with it; here one is enough. */
  private failFlooded(run: Run): void {
    const { task } = run;
    if (typeof task !== 'object') return;
    const words = `too many messages come to ${run.id} during a task`;
    if (this.world.faults.strikes('too many messages', 0.5, words)) this.forget(run, task);
  }

  /** Has a worker given a task, where there is something to tell and none has one. */
  private ask(run: Run, isRetry = false): void {
    if (run.task || run.ended || (run.pending.length === 0 && !isRetry)) return;
    run.task = 'asked';
    const { clock, draws } = this.world;
    // What was lost is handed out again after a while, in which more can come.
    const ms = isRetry ? draws.spread('again', 1, 60) : draws.between('matching', 1, 10);
    clock.after(ms, () => this.hand(run));
  }

  private hand(run: Run): void {
    const worker = this.workers.choose(run.lastWorker);
    run.task = run.ended || worker ? undefined : 'asked';
    if (run.ended) return;
    if (!worker) return void this.world.clock.after(500, () => this.hand(run));
    const task = this.give(run, worker);
    const session = run.sessions.get(worker);
    const goesOn = session?.mayGoOn(task) === true && !this.world.draws.chance('evicted', 0.1);
    this.tempt(run, task);
    if (goesOn) return void session.goOn(task);
    const fresh = new Session(this, run, worker);
    run.sessions.set(worker, fresh);
    void fresh.begin(task);
  }

  private give(run: Run, worker: Worker): Task {
    const { clock } = this.world;
    const timeout = clock.after(taskTimeoutMs, () => {
      if (run.task !== task) return;
      this.world.tell(() => `the task of ${run.id} times out`);
      this.retry(run);
    });
    const jobs = inOrder(run.pending);
    const task: Task = { worker, taken: run.pending.length, jobs, startedAt: clock.now, timeout };
    run.task = task;
    return task;
  }

  /** What may befall a task while a worker has it. */
  private tempt(run: Run, task: Task): void {
    const { draws, faults } = this.world;
    const { worker } = task;
    // A look that is followed by a repeat in the same task has twenty and more.
    const at = () =>
      draws.chance('late effect', 0.3) ? draws.between('effect', 10, 24) : draws.between('effect', 1, 9);
    if (faults.strikes('death', 0.04, `${worker.name} dies during a task`)) {
      worker.atEffect(at(), () => this.workers.kill(worker));
    }
    if (faults.strikes('run lost', 0.004, `the server loses ${run.id}`)) {
      worker.atEffect(at(), () => this.lose(run));
    }
    if (faults.strikes('forgotten', 0.04, `the server loses the task that ${worker.name} goes on with`)) {
      worker.atEffect(at(), () => this.forget(run, task));
    }
  }

  /** Terminated, or lost with the server's storage; workers that have a task of it go on until they hear of it. */
  lose(run: Run): void {
    this.world.tell(() => `${run.id} is lost`);
    this.close(run, { failure: 'lost' });
    this.onLost(run);
  }

  private retry(run: Run): void {
    if (run.task && run.task !== 'asked') run.task.timeout.isCancelled = true;
    run.task = undefined;
    run.lastWorker = undefined;
    this.ask(run, true);
  }

  private answer(run: Run, id: string, answer: UpdateAnswer): void {
    run.updates.get(id)?.(answer);
    run.updates.delete(id);
  }
}
