import type { Logger } from 'pino';

export interface RecurringTask {
  /** Runs the task as soon as the present run, if any, has ended. */
  wake(): void;
  /** Lets the present run end and starts no other. */
  stop(): Promise<void>;
}

/**
 * Repeats `run`, never twice at once, waiting `idleMs` (or until woken) after each run that found nothing. `run`
 * returns whether it found work. A failing run is logged and tried again after the wait: the database may be down.
 */
export function startRecurringTask(
  name: string,
  idleMs: number,
  logger: Logger,
  run: () => Promise<boolean>,
): RecurringTask {
  const stopping = new AbortController();
  let woken = false;
  let endWait: (() => void) | undefined;

  const wait = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idleMs);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const loop = async () => {
    while (!stopping.signal.aborted) {
      woken = false;
      const foundWork = await run().catch((error: unknown) => {
        logger.error({ task: name, reason: reasonOf(error) }, 'recurring task failed');
        return false;
      });
      if (!foundWork && !woken && !stopping.signal.aborted) await wait();
    }
  };
  const ended = loop();

  return {
    wake: () => {
      woken = true;
      endWait?.();
    },
    stop: async () => {
      stopping.abort();
      endWait?.();
      await ended;
    },
  };
}

/** Only a code or a class name: a database's message may quote row values, which include e-mail addresses. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
