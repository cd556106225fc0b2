import type {
  DecidedReview,
  Effect,
  Instant,
  PaymentEvent,
  PaymentEventType,
  PaymentState,
  ReviewDecision,
} from './payment.js';
import { decide } from './transition.js';

/** A payment's story: one entry for each event that moved it, was refused, or contradicts what is known. */
export interface TimelineEntry {
  readonly version: number;
  readonly event: PaymentEventType | 'runRestarted';
  readonly kind: 'moved' | 'refused' | 'conflict';
  readonly from: string;
  readonly to: string;
  readonly at: Instant;
  readonly detail?: string;
  readonly code?: string;
  /** The command that asked for it. */
  readonly commandId?: string;
  readonly decision?: ReviewDecision;
}

/** Where a payment stands, and which of its recorded events brought it there. */
export interface Position {
  readonly state: PaymentState;
  readonly version: number;
}

export interface Advance {
  readonly position: Position;
  readonly entry?: TimelineEntry;
  readonly effect?: Effect;
}

/** Events that say only "look" or "wait longer": worth no line in the story. */
const quiet: ReadonlySet<PaymentEventType> = new Set([
  'pollCameDue',
  'stepCameDue',
  'lookInconclusive',
  'providerNotified',
  'observationFailed',
]);

/**
 * Takes one event. Run and activity both call this with the same arguments, so that the rows which the activity
 * writes and the state which the run goes on from are the same.
 */
export function advance({ state, version }: Position, event: PaymentEvent, at: Instant): Advance {
  const decision = decide(state, event, at);
  if (decision.kind === 'stale') return { position: { state, version } };

  const next = { state: decision.state, version: version + 1 };
  const effect = decision.kind === 'moved' ? decision.effect : undefined;
  if (decision.kind === 'moved' && quiet.has(event.type) && decision.state.status === state.status) {
    return { position: next, ...(effect && { effect }) };
  }
  const entry: TimelineEntry = {
    version: next.version,
    event: event.type,
    kind: decision.kind,
    from: state.status,
    to: decision.state.status,
    at,
    ...explain(),
    ...('commandId' in event && { commandId: event.commandId }),
    ...(event.type === 'reviewDecided' && { decision: event.decision }),
  };
  return { position: next, entry, ...(effect && { effect }) };

  function explain(): Pick<TimelineEntry, 'detail' | 'code'> {
    if (decision.kind === 'refused') return { detail: decision.refusal.reason, code: decision.refusal.code };
    if (decision.kind === 'conflict') return { detail: decision.reason };
    if (event.type === 'reviewDecided') return { detail: describeDecision(event) };
    if (
      decision.kind === 'moved' &&
      decision.state.reason !== undefined &&
      decision.state.reason !== state.reason
    ) {
      return { detail: decision.state.reason };
    }
    return {};
  }
}

function describeDecision({ decision, isUnverified, reason }: DecidedReview): string {
  return `${decision}${isUnverified ? ' (on the operator’s word, where the provider cannot be read)' : ''}: ${reason}`;
}
