import type { Instant, Lifecycle, LifecycleEvent, LifecycleState } from './lifecycle.js';
import { isRequestType } from './request-kinds.js';

/** One line of a timeline: an event that changed the state, was refused, or contradicts the records. */
export interface TimelineEntry {
  readonly version: number;
  /** The event's type; `runRestarted` if a run was lost and a new one continues. */
  readonly event: string;
  readonly kind: 'moved' | 'refused' | 'conflict';
  readonly from: string;
  readonly to: string;
  readonly at: Instant;
  readonly detail?: string;
  readonly code?: string;
  /** The command that caused it. */
  readonly commandId?: string;
  /** An operator's decision in a review. */
  readonly decision?: string;
}

/** The state of a subject, and the version that it has. */
export interface Position<State> {
  readonly state: State;
  /** Grows with each event; rows never go back to an older version. */
  readonly version: number;
}

export interface Advance<State, Effect> {
  readonly position: Position<State>;
  readonly entry?: TimelineEntry;
  readonly effect?: Effect;
}

/**
 * Takes one event. Run and activity call this with the same arguments, so that the activity's rows and the run's state
 * are the same.
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
    const described = lifecycle.detailOf?.(event);
    if (described !== undefined) return described;
    return result.state.reason === state.reason ? undefined : result.state.reason;
  }
}

/** True for the line of a request that changed the state: the request needs an accepted command. */
export function isRequest({ kind, event, commandId }: TimelineEntry): boolean {
  // A payer's cancellation has no command; it is marked in the subject's row.
  return kind === 'moved' && (isRequestType(event) || commandId !== undefined || event === 'payerCancelled');
}

/** Why a request is undone. */
const reasonsToUndo = {
  notAccepted: 'No accepted request stands behind it: nothing was done.',
  refusedBefore: 'It was refused already, and its caller told so: nothing was done.',
};
export type ReasonToUndo = keyof typeof reasonsToUndo;

/** Undoes a request that must not be carried out: the state stays as it was before, and a timeline line records it. */
export function undoRequest<State extends LifecycleState>(
  { state, version }: Position<State>,
  { decision: _notTaken, ...request }: TimelineEntry,
  why: ReasonToUndo,
): Required<Pick<Advance<State, never>, 'position' | 'entry'>> {
  const { status } = state;
  const next = { state, version: version + 1 };
  return {
    position: next,
    entry: {
      ...request,
      version: next.version,
      kind: why === 'notAccepted' ? 'conflict' : 'refused',
      from: status,
      to: status,
      detail: reasonsToUndo[why],
    },
  };
}
