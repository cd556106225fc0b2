import type { Instant, Lifecycle, LifecycleEvent, LifecycleState } from './lifecycle.js';
import { isRequestType } from './request-kinds.js';

/** One line of a story: an event that moved something, was refused, or contradicts what is known. */
export interface TimelineEntry {
  readonly version: number;
  /** Its type; `runRestarted` where a run was gone and another one goes on. */
  readonly event: string;
  readonly kind: 'moved' | 'refused' | 'conflict';
  readonly from: string;
  readonly to: string;
  readonly at: Instant;
  readonly detail?: string;
  readonly code?: string;
  /** The command that asked for it. */
  readonly commandId?: string;
  /** An operator's, about what is under review. */
  readonly decision?: string;
}

/** Where something stands, and which of its recorded events brought it there. */
export interface Position<State> {
  readonly state: State;
  /** Grows with each event that was taken; rows never go back to an older one. */
  readonly version: number;
}

export interface Advance<State, Effect> {
  readonly position: Position<State>;
  readonly entry?: TimelineEntry;
  readonly effect?: Effect;
}

/**
 * Takes one event. Run and activity both call this with the same arguments, so that the rows which the activity
 * writes and the state which the run goes on from are the same.
 */
export function advance<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
>(
  lifecycle: Lifecycle<State, Event, Effect>,
  { state, version }: Position<State>,
  event: Event,
  at: Instant,
): Advance<State, Effect> {
  const result = lifecycle.transition(state, event, at);
  if (result.kind === 'stale') return { position: { state, version } };

  const next = { state: result.state, version: version + 1 };
  const effect = result.kind === 'moved' ? result.effect : undefined;
  if (
    result.kind === 'moved' &&
    (lifecycle.quiet.has(event.type) || event.isCheck === true) &&
    result.state.status === state.status &&
    lifecycle.showsMore?.(state, result.state) !== true
  ) {
    return { position: next, ...(effect && { effect }) };
  }
  const detail = explain();
  const entry: TimelineEntry = {
    version: next.version,
    event: event.type,
    kind: result.kind,
    from: state.status,
    to: result.state.status,
    at,
    ...(detail !== undefined && { detail }),
    ...(result.kind === 'refused' && { code: result.refusal.code }),
    ...(event.commandId !== undefined && { commandId: event.commandId }),
    ...('decision' in event && typeof event.decision === 'string' && { decision: event.decision }),
  };
  return { position: next, entry, ...(effect && { effect }) };

  function explain(): string | undefined {
    if (result.kind === 'refused') return result.refusal.reason;
    if (result.kind === 'conflict') return result.reason;
    const told = lifecycle.detailOf?.(event);
    if (told !== undefined) return told;
    return result.state.reason === state.reason ? undefined : result.state.reason;
  }
}

/** True for a line that tells of a request which moved something: somebody must have been allowed to ask for it. */
export function isRequest({ kind, event, commandId }: TimelineEntry): boolean {
  // The payer's own word is no command: it has a mark in the subject's row.
  return kind === 'moved' && (isRequestType(event) || commandId !== undefined || event === 'payerCancelled');
}

/** Why a request that was taken is given back. */
const reasonsToGiveBack = {
  unfounded: 'No accepted request stands behind it: nothing was done.',
  refusedBefore: 'It was refused already, and its caller told so: nothing was done.',
};
export type ReasonToGiveBack = keyof typeof reasonsToGiveBack;

/** A request that must not be carried out after all: everything stays as it was before, and the line tells of it. */
export function giveBack<State extends LifecycleState>(
  { state, version }: Position<State>,
  { decision: _notTaken, ...request }: TimelineEntry,
  why: ReasonToGiveBack,
): Required<Pick<Advance<State, never>, 'position' | 'entry'>> {
  const { status } = state;
  const next = { state, version: version + 1 };
  return {
    position: next,
    entry: {
      ...request,
      version: next.version,
      kind: why === 'unfounded' ? 'conflict' : 'refused',
      from: status,
      to: status,
      detail: reasonsToGiveBack[why],
    },
  };
}
