import { AsyncLocalStorage } from 'node:async_hooks';

const callers = new AsyncLocalStorage<string>();

/** The caller in whose queue for the database the current work waits; undefined for work without a limit. */
export function callerNow(): string | undefined {
  return callers.getStore();
}

/** Runs work in the queue of a caller. */
export function asCaller<Result>(name: string, work: () => Result): Result {
  return callers.run(name, work);
}
