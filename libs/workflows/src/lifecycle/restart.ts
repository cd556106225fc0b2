import type { Instant, LifecycleState, WaitPolicy } from './lifecycle.js';
import type { Position, TimelineEntry } from './progress.js';
import type { OpenStep } from './step/open-step.js';

export interface Restarted<State> {
  readonly position: Position<State>;
  readonly entry: TimelineEntry;
}

/**
 * The state in which a new run continues after a lost one. A call in flight begins again under the name of the same
 * attempt: the attempt's row decides whether it is sent, looked up, or already known. A read replaces the messages that
 * were lost with the old run.
 *
 * @param rows the state in the row; the subject has not ended.
 * @param owingRead returns the state with a read due at once, if no step is open.
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
  return { ...state, openStep: { ...openStep, phase: 'retry', isResumed: true, nextAt: now } };
}

interface PolledState {
  readonly order: { readonly patience: WaitPolicy };
  readonly readOwed: boolean;
  readonly polls: number;
  readonly lastPollAt: Instant;
}

/** Makes a read of a polled subject due at once. */
export function owingPoll<State extends PolledState>(state: State, now: Instant): State {
  return { ...state, readOwed: true, polls: 0, lastPollAt: now - state.order.patience.firstPollMs };
}
