import { defineSignal } from '@temporalio/workflow';
import { World, present } from '#proof/simulator/core/world.js';
import { Execution } from '#proof/simulator/temporal/execution.js';
import type { ActivityCommand, Command, Job } from '#proof/simulator/temporal/history.js';
import type {
  ActivityCall,
  Continued,
  RunMessage,
  RunSnapshot,
  UnrecordedPosition,
} from '#workflows/contract/run.js';
import { takeDecisions, takeSignals } from '#workflows/run/handlers.js';
import { LifecycleRun } from '#workflows/run/lifecycle-run.js';
import type { RunParts } from '#workflows/run/run-parts.js';
import { type Effect, type Event, type State, isHint, lifecycle } from './sample-lifecycle.js';

// Built by the simulator's build: the loop of a run for real, on the simulator's Temporal.

export type Message = RunMessage<Event>;
type Parts = RunParts<State, Event, Effect, Message>;

const signals = Object.fromEntries(
  ['asked', 'told', 'noted', 'heard'].map((type) => [type, defineSignal<[Message]>(type)]),
);

/** A run in one workflow task after the other: the test gives it what Temporal brings, and sees what it asks for. */
export class RunStand {
  static readonly startsAt = World.startsAt;
  readonly world = new World(1, { isTold: false, allowed: new Set() });
  now = RunStand.startsAt;
  isLong = false;
  /** How far the worker's clock is ahead of the server's. */
  aheadMs = 0;
  private readonly execution = new Execution(() => this.work());
  private readonly open: ActivityCommand[] = [];
  private timer: Extract<Command, { type: 'startTimer' }> | undefined;
  private run: LifecycleRun<State, Event, Effect, Message> | undefined;

  constructor(
    private readonly first: State,
    private readonly parts: Partial<Parts> = {},
    private readonly continued?: Continued<State, Message>,
  ) {}

  /** @param early what came before the first workflow task. */
  async begin(...early: readonly Job[]): Promise<readonly Command[]> {
    return await this.take(...early, { type: 'started', input: {}, at: this.now });
  }

  /** All of them come in one workflow task. @returns what the run asks for. */
  async take(...jobs: readonly Job[]): Promise<readonly Command[]> {
    present.world = this.world;
    const suggestsContinueAsNew = this.isLong;
    const commands = await this.execution.activate({ at: this.now, jobs, suggestsContinueAsNew });
    for (const command of commands) {
      if ('name' in command) this.open.push(command);
      if (command.type === 'startTimer') this.timer = command;
    }
    return commands;
  }

  /**
   * An activity ends.
   *
   * @param result of the step, if the view is recorded with one.
   * @param shown what the recorded view shows otherwise, as a replay may find it.
   */
  async end(result?: unknown, shown: object = {}): Promise<readonly Command[]> {
    const activity = this.open.shift();
    if (!activity) throw new Error('no activity is under way');
    const { seq, name, args } = activity;
    const [view, step] = args as [object, ActivityCall | undefined];
    const at = this.now + this.aheadMs;
    const recorded = { ...view, at, ...shown, ...(step && { result: result ?? null }) };
    const isView = name === 'takeEvent' || name === 'recordView';
    return await this.take({ type: 'activityEnded', seq, result: isView ? recorded : result });
  }

  /** The run's timer fires, as late as it is set for. */
  async fire(): Promise<readonly Command[]> {
    if (!this.timer) throw new Error('no timer is set');
    const { seq, ms } = this.timer;
    this.now += ms;
    return await this.take({ type: 'timerFired', seq });
  }

  get snapshot(): RunSnapshot<State> {
    if (!this.run) throw new Error('the run has not begun');
    return this.run.snapshot();
  }

  private async work(): Promise<unknown> {
    const run = new LifecycleRun(this.allParts(), this.first, this.continued);
    this.run = run;
    takeSignals(run, signals, { recordsTime: this.parts.recordsTime ?? true });
    takeDecisions<Message>(run);
    await run.run();
    return run.state;
  }

  private allParts(): Parts {
    return {
      lifecycle,
      firstEffect: undefined,
      carryOut: (effect: Effect, position: UnrecordedPosition<State>) => ({
        name: effect.type,
        args: [position],
      }),
      record: (position) => ({ name: 'record', args: [position] }),
      describe: ({ status }) => status,
      currencyOf: () => 'USD',
      isHint,
      isUpdate: ({ type }) => type === 'reviewDecided',
      sharesReads: () => true,
      lookBefore: () => undefined,
      recordsTime: true,
      takesEvents: true,
      messagesPerRun: Number.POSITIVE_INFINITY,
      continueAsNew: async (carried) => {
        this.carried = carried;
        return await new Promise<never>(() => undefined);
      },
      ...this.parts,
    };
  }

  /** What the next run gets. */
  carried: Continued<State, Message> | undefined;
}
