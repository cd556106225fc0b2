import { AsyncLocalStorage } from 'node:async_hooks';

interface Work {
  readonly caller: string;
  /** The request that it is done for, if any. */
  readonly request?: object | undefined;
}

const works = new AsyncLocalStorage<Work>();
const replays = new WeakSet<object>();

/** The caller in whose queue for the database the current work waits; undefined for work without a limit. */
export function callerNow(): string | undefined {
  return works.getStore()?.caller;
}

/** Runs work in the queue of a caller. */
export function asCaller<Result>(caller: string, work: () => Result, request?: object): Result {
  return works.run({ caller, request }, work);
}

/** The request that the current work is done for, if any. */
export function requestNow(): object | undefined {
  return works.getStore()?.request;
}

/** Notes that the current request repeats an earlier one under its idempotency key. */
export function noteReplay(): void {
  const request = works.getStore()?.request;
  if (request) replays.add(request);
}

export function isReplay(request: object): boolean {
  return replays.has(request);
}
