import type { Logger } from 'pino';

export interface RecurringTask {
  /** Runs the task as soon as the present run, if any, has ended. */
  wake(): void;
  /** Something has changed: a long wait becomes a usual one. */
  stir(): void;
  /** Lets the present run end and starts no other. */
  stop(): Promise<void>;
}

/** Work, so that there may be more; nothing; or nothing, and nothing to come within a long wait unless something changes. */
export type Found = 'work' | 'nothing' | 'quiet';

/** How long a task waits after a run that found nothing. */
export interface Waits {
  readonly idleMs: number;
  /** From the begin of a quiet run: it saw what was to come then, and its answer may have taken long. */
  readonly quietMs?: number;
}

/**
 * Repeats `run`, never twice at once, and waits (or until woken) after each run that found nothing. A failing run is
 * logged and tried again after the wait: the database may be down.
 */
export function startRecurringTask(
  name: string,
  { idleMs, quietMs = idleMs }: Waits,
  logger: Logger,
  run: () => Promise<Found>,
): RecurringTask {
  const stopping = new AbortController();
  /** What was asked for since the present run began. */
  let asked: 'run' | 'look' | undefined;
  let timer: NodeJS.Timeout | undefined;
  let endWait: (() => void) | undefined;
  let isLong = false;

  const wait = (found: Found, begunAt: number) =>
    new Promise<void>((resolve) => {
      const restMs = begunAt + quietMs - performance.now();
      isLong = found === 'quiet' && asked !== 'look' && restMs > idleMs;
      timer = setTimeout(resolve, isLong ? restMs : idleMs);
      endWait = resolve;
    }).finally(() => {
      isLong = false;
      clearTimeout(timer);
    });

  const loop = async () => {
    while (!stopping.signal.aborted) {
      asked = undefined;
      const begunAt = performance.now();
      const found = await run().catch((error: unknown): Found => {
        logger.error({ task: name, reason: reasonOf(error) }, 'recurring task failed');
        return 'nothing';
      });
      if (found !== 'work' && !isAskedToRun() && !stopping.signal.aborted) await wait(found, begunAt);
    }
  };
  // Callbacks set it while the loop awaits.
  const isAskedToRun = () => asked === 'run';
  const ended = loop();

  return {
    wake: () => {
      asked = 'run';
      endWait?.();
    },
    stir: () => {
      asked ??= 'look';
      if (!isLong) return;
      isLong = false;
      clearTimeout(timer);
      timer = setTimeout(() => endWait?.(), idleMs);
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
