import type { Due } from '../core/clock.js';
import type { World } from '../core/world.js';
import type { ActivityCommand, Activation, Command, Job, UpdateRefusal } from './history.js';
import type { Worker } from './worker.js';

/** A workflow task that a worker has. */
export interface Task {
  readonly worker: Worker;
  /** How many of the run's pending jobs it was given. */
  readonly taken: number;
  readonly jobs: readonly Job[];
  readonly startedAt: number;
  timeout: Due;
}

/** What a worker does with the tasks of a run: see Session. */
export interface TaskWork {
  begin(task: Task): Promise<void>;
  /** Does it have a task without knowing that it is lost? Then it goes on with the next one, when that suits it. */
  mayGoOn(task: Task): boolean;
  /** The live run is brought what is new, in the middle of a step; what a replay will see is written as if it were one. */
  goOn(task: Task): Promise<void>;
}

export type UpdateAnswer = 'taken' | 'lost' | 'closed' | UpdateRefusal;

/** A run as the server keeps it: what is in here survives every worker. */
export interface Run {
  readonly id: string;
  readonly type: string;
  history: Activation[];
  /** The last workflow task has left no event of its own. */
  isQuiet: boolean;
  /** What no completed task has brought to the run yet. */
  pending: Job[];
  readonly timers: Map<number, Due>;
  readonly activities: Map<number, ActivityCommand>;
  /** Undefined while no worker has a task; `asked` while one is on its way to a worker. */
  task: Task | 'asked' | undefined;
  lastWorker: Worker | undefined;
  /** What each worker was last given of it, and may have lost without knowing. */
  readonly sessions: Map<Worker, TaskWork>;
  readonly updates: Map<string, (answer: UpdateAnswer) => void>;
  readonly acceptedUpdates: Set<string>;
  ended: { readonly result?: unknown; readonly failure?: string } | undefined;
}

export function newRun(id: string, type: string, input: unknown, at: number): Run {
  return {
    id,
    type,
    history: [],
    isQuiet: true,
    pending: [{ type: 'started', input, at }],
    timers: new Map(),
    activities: new Map(),
    task: undefined,
    lastWorker: undefined,
    sessions: new Map(),
    updates: new Map(),
    acceptedUpdates: new Set(),
    ended: undefined,
  };
}

export type Workflows = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/** What a worker is given its tasks by. */
export interface TaskServer {
  readonly world: World;
  readonly workflows: Workflows;
  complete(
    run: Run,
    task: Task,
    activations: readonly Activation[],
    commands: readonly Command[],
    isHeartbeat: boolean,
  ): Task | 'done' | 'refused';
}
