import type { FaultKind } from '../faults/fault-kinds.js';

/** What each kind of fault does, for whoever chooses one. A kind that is missing here does not compile. */
export const EXPLANATIONS: Readonly<Record<FaultKind['kind'], string>> = {
  drop_reply: 'Does the operation, then drops the connection without an answer.',
  late: 'Holds the call and does the operation later, also when the caller has gone.',
  delay: 'Does the operation at once and answers later.',
  status: 'Refuses with a status before anything is done.',
  poison: 'Refuses before anything is done and keeps that refusal under the request id.',
  garbage: 'Does the operation and answers what is no JSON, or half of it, or nothing.',
  drip: 'Does the operation and lets the answer trickle.',
  unknown_enum: 'Does the operation and answers with a value that nobody documented.',
  reshape: 'Does the operation and leaves fields of the answer out, or adds some.',
  stale_read: 'A read shows the state of a moment ago.',
  decline: 'The funding source, or the sender’s balance, says no.',
  pending: 'The operation answers “pending”; the outcome is known later.',
  drop_delivery: 'Never sends the delivery of an event.',
  duplicate_delivery: 'Sends a delivery several times at the same moment.',
  reorder_deliveries: 'Holds a delivery back until a later event has been delivered.',
  delay_delivery: 'Sends a delivery later.',
  corrupt_delivery: 'Sends a delivery whose signature does not fit.',
};

export function explain(kind: string): string {
  return Object.hasOwn(EXPLANATIONS, kind) ? EXPLANATIONS[kind as FaultKind['kind']] : '';
}
