import { AsyncLocalStorage } from 'node:async_hooks';

/** One try of a local activity that a run has asked for. */
export interface Making {
  /** A completed task has brought its result to the run. */
  isInHistory: boolean;
}

/** Which one is carried out: what it writes is known by it. */
export const making = new AsyncLocalStorage<Making>();
