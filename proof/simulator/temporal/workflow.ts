import { presentWorld } from '../core/world.js';
import { ContinueAsNew, Execution } from './execution.js';
import { type ActivityCommand, type ActivityOptions, copiesOf, copyOf } from './history.js';

/** In the place of @temporalio/workflow: of it what the engine's workflows use. */

interface Definition {
  readonly name: string;
}

export const defineSignal = (name: string): Definition => ({ name });
export const defineQuery = (name: string): Definition => ({ name });
export const defineUpdate = (name: string): Definition => ({ name });

export function setHandler(
  { name }: Definition,
  handle: (argument: unknown) => unknown,
  options: { readonly validator?: (argument: unknown) => void } = {},
): void {
  Execution.present().handleWith(name, { handle, validate: options.validator });
}

export async function condition(isMet: () => boolean, ms?: number): Promise<boolean | void> {
  const execution = Execution.present();
  if (ms === undefined) return await execution.until(isMet);
  const seq = execution.nextSeq();
  execution.ask({ type: 'startTimer', seq, ms });
  let hasFired = false;
  void execution.resolved(seq).then(() => (hasFired = true));
  await execution.until(() => hasFired || isMet());
  if (hasFired) return false;
  execution.forget(seq);
  execution.ask({ type: 'cancelTimer', seq });
  return true;
}

export async function sleep(ms: number): Promise<void> {
  const execution = Execution.present();
  const seq = execution.nextSeq();
  execution.ask({ type: 'startTimer', seq, ms });
  await execution.resolved(seq);
}

export const proxyLocalActivities = (options: WrittenOptions) => proxies('localActivity', options);
export const proxyActivities = (options: WrittenOptions) => proxies('activity', options);

/** Every code that is simulated is the newest, and so is every history. */
export const patched = (): boolean => true;
export const deprecatePatch = (): void => undefined;

export async function continueAsNew(input: unknown): Promise<never> {
  throw new ContinueAsNew(copyOf(input));
}

export function workflowInfo() {
  const { suggestsContinueAsNew, begunAt } = Execution.present();
  return {
    continueAsNewSuggested: suggestsContinueAsNew,
    runStartTime: new Date(begunAt),
    unsafe: { isReplaying: false },
  };
}

/** What a run logs it has not to log here. */
export const log = {
  error: (message: string): void => {
    const world = presentWorld();
    if (!world.hasIntruder) world.violate('run complains', message);
  },
  warn: (): void => undefined,
  info: (): void => undefined,
};

export const setCurrentDetails = (): void => undefined;

export const allHandlersFinished = (): boolean => Execution.present().allHandlersFinished;

/** Nobody cancels runs here: the engine's are not to be cancelled. */
export const CancellationScope = {
  nonCancellable: async <T>(work: () => Promise<T>): Promise<T> => await work(),
};

export class ApplicationFailure extends Error {
  readonly type: string | undefined;

  private constructor({ message, type }: { readonly message?: string; readonly type?: string }) {
    super(message);
    this.type = type;
  }

  static create(options: { readonly message?: string; readonly type?: string }): ApplicationFailure {
    return new ApplicationFailure(options);
  }

  static nonRetryable(message: string, type?: string): ApplicationFailure {
    return new ApplicationFailure({ message, ...(type !== undefined && { type }) });
  }
}

export function setDefaultSignalHandler(handle: (name: string, argument: unknown) => unknown): void {
  Execution.present().handleByDefault(handle);
}

interface WrittenOptions {
  readonly startToCloseTimeout: string | number;
  readonly retry?: { readonly initialInterval?: string | number; readonly maximumInterval?: string | number };
}

type Activity = (...args: unknown[]) => Promise<unknown>;

function proxies(type: ActivityCommand['type'], written: WrittenOptions): Record<string, Activity> {
  const options: ActivityOptions = {
    startToCloseMs: msOf(written.startToCloseTimeout),
    firstRetryMs: msOf(written.retry?.initialInterval ?? 1_000),
    longestRetryMs: msOf(written.retry?.maximumInterval ?? 100_000),
  };
  return new Proxy<Record<string, Activity>>(
    {},
    {
      get:
        (_, name) =>
        async (...args: unknown[]) => {
          const execution = Execution.present();
          const seq = execution.nextSeq();
          execution.ask({ type, seq, name: String(name), args: copiesOf(args), options });
          return await execution.resolved(seq);
        },
    },
  );
}

const units: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

function msOf(written: string | number): number {
  if (typeof written === 'number') return written;
  const [amount = '', unit = ''] = written.split(' ');
  const ms = Number(amount) * (units[unit.replace(/s$/, '')] ?? Number.NaN);
  if (Number.isNaN(ms)) throw new Error(`no duration: ${written}`);
  return ms;
}
