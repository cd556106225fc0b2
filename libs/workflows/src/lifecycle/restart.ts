import type { Instant, LifecycleState, WaitPolicy } from './lifecycle.js';
import type { Position, TimelineEntry } from './progress.js';
import type { OpenStep } from './step/open-step.js';

export interface Restarted<State> {
  readonly position: Position<State>;
  readonly entry: TimelineEntry;
}

/**
 * Where something whose run is gone goes on in a new run. A call that was in flight is begun again under the name of the
 * same attempt: what is on record of that attempt decides whether it is sent, looked up, or known already. Whatever the
 * old run was told and took with it is made up for by a read.
 *
 * @param rows as the rows have it; it has not ended.
 * @param owingRead gives the state of one that has no step open, with a read due at once.
 */
export function restartFrom<State extends LifecycleState & { readonly openStep?: OpenStep<unknown> }>(
  { state, version }: Position<State>,
  now: Instant,
  owingRead: (state: State, now: Instant) => State,
): Restarted<State> {
  const next = { state: awake(state, now, owingRead), version: version + 1 };
  const entry: TimelineEntry = {
    version: next.version,
    event: 'runRestarted',
    kind: 'moved',
    from: state.status,
    to: state.status,
    at: now,
    detail: 'The run was gone; a new one goes on from the records.',
  };
  return { position: next, entry };
}

function awake<State extends { readonly openStep?: OpenStep<unknown> }>(
  state: State,
  now: Instant,
  owingRead: (state: State, now: Instant) => State,
): State {
  const { openStep } = state;
  if (!openStep) return owingRead(state, now);
  if (openStep.phase !== 'running') return state;
  return { ...state, openStep: { ...openStep, phase: 'retry', nextAt: now } };
}

interface PolledState {
  readonly order: { readonly patience: WaitPolicy };
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** A read due at once, of what is polled. */
export function owingPoll<State extends PolledState>(state: State, now: Instant): State {
  return { ...state, readOwed: true, polls: 0, lastPollAt: now - state.order.patience.firstPollMs };
}
