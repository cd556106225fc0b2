import { setTimeout as sleep } from 'node:timers/promises';

/** Polls often, because the waiting time is measured; the poll must be cheap. */
export async function until(isSo: () => Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await isSo())) await sleep(everyMs);
}
