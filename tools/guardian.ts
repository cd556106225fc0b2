// Ends the children of a process that could not do so itself, because it was killed with -9. It runs apart, in a
// session of its own, and holds one end of a pipe: when the supervisor is gone, however it went, the pipe closes.
// Where nothing is built it is started from its source, by Node's type stripping: no relative import.
import { setTimeout as sleep } from 'node:timers/promises';
import { createInterface } from 'node:readline';

/** One line of the pipe, as JSON. */
export type GuardianMessage =
  { readonly guard: number; readonly stopSignal: NodeJS.Signals } | { readonly release: number };

const gracePeriodMs = 8_000;

if (process.argv[1] !== undefined && import.meta.filename === process.argv[1]) await guard();

async function guard(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const guarded = new Map<number, NodeJS.Signals>();
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line) as GuardianMessage;
    if ('guard' in message) guarded.set(message.guard, message.stopSignal);
    else guarded.delete(message.release);
  }
  await endAll(guarded);
}

async function endAll(guarded: ReadonlyMap<number, NodeJS.Signals>): Promise<void> {
  for (const [pid, stopSignal] of guarded) send(pid, stopSignal);
  const deadline = Date.now() + gracePeriodMs;
  while (Date.now() < deadline && [...guarded.keys()].some((pid) => send(pid, 0))) await sleep(100);
  for (const pid of guarded.keys()) send(-pid, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
