import { setTimeout as sleep } from 'node:timers/promises';
import { shortestHoldMs } from './fault-mix.js';
import type { Operations } from '../lifecycle.js';
import type { Call, SandboxControl } from '../sandbox-control.js';

const lookEveryMs = 20;
/** After this time without one, the blow is made anyway and does not count as in flight. */
const timeoutMs = 30_000;
/** Longer than a loaded machine takes to see the call and to kill a process. */
const heldForMs = 8_000;
/** An older held call could end before the process dies. */
const freshForMs = 1_400;
/** The longest that a fault holds a call, and a margin. */
const endsWithinMs = 90_000;

/**
 * Has the provider hold the next POST of each kind that moves money, and waits for one of them: on its way, undecided
 * for its sender. A call that nothing holds back is over before a process could be killed.
 *
 * @param moneyPosts the operations that move money.
 * @param executeAfterMs when the provider carries the held call out, counted from its arrival.
 * @returns none when nobody moves money for a while.
 */
export async function holdMoneyInFlight(
  admin: SandboxControl,
  { moneyPosts }: Pick<Operations, 'moneyPosts'>,
  executeAfterMs: number,
  signal: AbortSignal,
): Promise<readonly Call[]> {
  const hold = { kind: 'late', executeAfterMs, delayMs: heldForMs, times: 1 };
  const holds = await Promise.all(moneyPosts.map((operation) => admin.switchOn({ ...hold, operation })));
  try {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline;) {
      const calls = (await admin.callsInFlight()).filter(
        (call) => moneyPosts.includes(call.operation) && isHeldFreshly(call),
      );
      if (calls.length > 0) return calls;
      await sleep(lookEveryMs, undefined, { signal });
    }
    return [];
  } finally {
    await Promise.all(holds.map((id) => admin.switchOff(id)));
  }
}

export interface Suspects {
  /** Seen in flight, held by a fault, by a look that was answered before the kill was sent. */
  readonly calls: readonly Call[];
  /** The sandbox itself was killed: what it knew of calls in flight is gone. */
  readonly isWitnessDead: boolean;
  /** When the kill was sent, and when the process was gone. */
  readonly killed: { readonly from: number; readonly to: number };
}

/**
 * The evidence that a kill fell while money was on its way: a call which the sandbox's log, read afterwards, shows to
 * have begun before the kill was sent and to have ended after the process was gone.
 *
 * A sandbox that is killed takes the end of its log with it. Then the evidence is a call that it showed in flight before
 * the kill, under a fault that withholds every answer for longer than it took the process to die.
 */
export async function findCallInFlightAt(
  admin: SandboxControl,
  { calls, isWitnessDead, killed }: Suspects,
  signal: AbortSignal,
): Promise<Call | undefined> {
  if (isWitnessDead) return calls.find(({ startedAt }) => startedAt.getTime() + shortestHoldMs > killed.to);
  const open = new Set(calls.map(({ id }) => id));
  for (const deadline = Date.now() + endsWithinMs; open.size > 0 && Date.now() < deadline;) {
    for (const id of open) {
      const call = await admin.endedCall(id);
      if (!call?.finishedAt) continue;
      if (call.startedAt.getTime() <= killed.from && call.finishedAt.getTime() >= killed.to) return call;
      open.delete(id);
    }
    await sleep(500, undefined, { signal });
  }
  return undefined;
}

/** Waits until no call is under way at the provider: a held call could be executed after the judgement. */
export async function awaitQuiet(
  admin: SandboxControl,
  { moneyPosts, otherPosts }: Operations,
  signal: AbortSignal,
): Promise<void> {
  const posts = new Set([...moneyPosts, ...otherPosts]);
  for (const deadline = Date.now() + endsWithinMs; Date.now() < deadline;) {
    const inFlight = await admin.callsInFlight();
    if (!inFlight.some(({ operation }) => posts.has(operation))) return;
    await sleep(250, undefined, { signal });
  }
}

/** Every fault of this kind holds its call for longer than it stays fresh. */
function isHeldFreshly(call: Call): boolean {
  return call.fault === 'late' && Date.now() - call.startedAt.getTime() < freshForMs;
}
