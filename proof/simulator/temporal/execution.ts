import { rest } from '../core/clock.js';
import type { Activation, Command, Job, UpdateRefusal } from './history.js';

type Handler = {
  readonly handle: (argument: unknown) => unknown;
  readonly validate?: ((argument: unknown) => void) | undefined;
};

/** A workflow function in the memory of a worker: what it waits for, and what it has asked for. */
export class Execution {
  private static current: Execution | undefined;

  now = 0;
  begunAt = 0;
  suggestsContinueAsNew = false;
  /** What the history holds was accepted: no validator is asked again. */
  isReplaying = false;
  /** Ids of updates that were turned away: they leave no trace in the history. */
  readonly refusedUpdates = new Set<string>();
  private commands: Command[] = [];
  private seq = 0;
  private readonly waiting = new Map<number, (value: unknown) => void>();
  private readonly conditions = new Set<{ isMet: () => boolean; resolve: () => void }>();
  private readonly handlers = new Map<string, Handler>();
  private byDefault: ((name: string, argument: unknown) => unknown) | undefined;
  private unhandled: Job[] = [];
  private handling = 0;

  constructor(private readonly workflow: (input: unknown) => Promise<unknown>) {}

  /** The one whose code runs. */
  static present(): Execution {
    if (!Execution.current) throw new Error('no workflow code runs');
    return Execution.current;
  }

  /** @returns what the run has asked for by it. */
  async activate({ at, jobs, suggestsContinueAsNew }: Activation): Promise<Command[]> {
    this.now = at;
    this.suggestsContinueAsNew = suggestsContinueAsNew;
    Execution.current = this;
    for (const job of jobs) this.take(job);
    await rest();
    while (this.unblock()) await rest();
    Execution.current = undefined;
    const { commands } = this;
    this.commands = [];
    return commands;
  }

  ask(command: Command): void {
    this.commands.push(command);
  }

  nextSeq(): number {
    this.seq += 1;
    return this.seq;
  }

  async resolved(seq: number): Promise<unknown> {
    return await new Promise((resolve) => this.waiting.set(seq, resolve));
  }

  forget(seq: number): void {
    this.waiting.delete(seq);
  }

  async until(isMet: () => boolean): Promise<void> {
    if (isMet()) return;
    await new Promise<void>((resolve) => this.conditions.add({ isMet, resolve }));
  }

  /** Whether it still waits for what has ended, as what it has cancelled it does not. */
  awaits(jobs: readonly Job[]): boolean {
    return jobs.every((job) => !('seq' in job) || this.waiting.has(job.seq));
  }

  get allHandlersFinished(): boolean {
    return this.handling === 0;
  }

  handleWith(name: string, handler: Handler): void {
    this.handlers.set(name, handler);
    this.takeUnhandled();
  }

  /** Of signals that nothing else takes. */
  handleByDefault(handle: (name: string, argument: unknown) => unknown): void {
    this.byDefault = handle;
    this.takeUnhandled();
  }

  private takeUnhandled(): void {
    const kept = this.unhandled;
    this.unhandled = [];
    for (const job of kept) this.take(job);
  }

  private handlerOf({ type, name }: Extract<Job, { type: 'signalled' | 'updated' }>): Handler | undefined {
    const { byDefault } = this;
    const named = this.handlers.get(name);
    if (named || type === 'updated' || !byDefault) return named;
    return { handle: (argument) => byDefault(name, argument) };
  }

  private take(job: Job): void {
    switch (job.type) {
      case 'started':
        this.begunAt = job.at;
        return this.start(job.input);
      case 'signalled':
      case 'updated': {
        const handler = this.handlerOf(job);
        if (!handler) this.unhandled.push(job);
        else if (job.type === 'updated') this.update(job, handler);
        else this.handle(handler, job.argument);
        return;
      }
      case 'timerFired':
        return this.resolve(job.seq, undefined);
      case 'activityEnded':
        return this.resolve(job.seq, job.result);
    }
  }

  private start(input: unknown): void {
    this.workflow(input).then(
      (result) => this.ask({ type: 'complete', result }),
      (error: unknown) => {
        if (error instanceof ContinueAsNew) this.ask({ type: 'continueAsNew', input: error.input });
        else
          this.ask({
            type: 'fail',
            error: error instanceof Error ? (error.stack ?? error.message) : String(error),
          });
      },
    );
  }

  private update(job: Extract<Job, { type: 'updated' }>, handler: Handler): void {
    const refusal = this.isReplaying ? undefined : refusalBy(handler, job.argument);
    if (refusal) {
      this.refusedUpdates.add(job.id);
      this.ask({ type: 'answerUpdate', id: job.id, refusal });
      return;
    }
    this.handle(handler, job.argument, () => this.ask({ type: 'answerUpdate', id: job.id }));
  }

  private handle(handler: Handler, argument: unknown, done?: () => void): void {
    this.handling += 1;
    void this.finish(handler, argument, done);
  }

  private async finish(handler: Handler, argument: unknown, done: (() => void) | undefined): Promise<void> {
    await handler.handle(argument);
    this.handling -= 1;
    done?.();
  }

  private resolve(seq: number, value: unknown): void {
    this.waiting.get(seq)?.(value);
    this.waiting.delete(seq);
  }

  private unblock(): boolean {
    let isAnyMet = false;
    for (const condition of this.conditions) {
      if (!condition.isMet()) continue;
      this.conditions.delete(condition);
      condition.resolve();
      isAnyMet = true;
    }
    return isAnyMet;
  }
}

/** How a run says that it goes on as another one. */
export class ContinueAsNew extends Error {
  constructor(readonly input: unknown) {
    super('continue as new');
  }
}

function refusalBy(handler: Handler, argument: unknown): UpdateRefusal | undefined {
  try {
    handler.validate?.(argument);
    return undefined;
  } catch (error) {
    const { type = 'Error', message } = error as { type?: string; message: string };
    return { code: type, reason: message };
  }
}
