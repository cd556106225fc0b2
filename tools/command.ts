import { Failure } from './failure.js';
import { onLossOfNpm } from './lineage.js';

/**
 * Runs what a script of package.json stands for and sets the exit code: 0, 1 with one sentence on stderr after a
 * Failure, 130 or 143 after a signal.
 *
 * `signal` is aborted at the first Ctrl-C, SIGTERM or SIGHUP, or when npm is gone; the command then ends by itself.
 * A second Ctrl-C does not wait for that.
 */
export async function runCommand(command: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const stop = listenForSignals();
  // The reader of the output may leave before the end, as `| head` does.
  process.stdout.on('error', () => {});
  try {
    await command(stop.signal);
    process.exitCode ??= 0;
  } catch (error) {
    if (!stop.signal.aborted) process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
  if (stop.signal.aborted) process.exitCode = stop.signal.reason === 'SIGINT' ? 130 : 143;
  process.exit();
}

/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Ctrl-C reaches every process of the terminal, and npm and the bootstrap pass it on: one press, several signals. */
const onePressMs = 1_500;

function listenForSignals(): AbortController {
  const stop = new AbortController();
  let firstAt = 0;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stop.signal.aborted) {
      firstAt = Date.now();
      stop.abort(signal);
    } else if (signal === 'SIGINT' && Date.now() - firstAt > onePressMs) {
      // The guardian ends the children.
      process.exit(130);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  onLossOfNpm(() => onSignal('SIGTERM'));
  return stop;
}

function describe(error: unknown): string {
  if (error instanceof Failure) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
