import type { FaultKind } from '../faults/fault-kinds.js';

/** What each kind of fault does, for users who choose one. A missing kind does not compile. */
export const EXPLANATIONS: Readonly<Record<FaultKind['kind'], string>> = {
  drop_reply: 'Carries the operation out, then drops the connection without an answer.',
  late: 'Holds the call and carries the operation out later, even if the caller has disconnected.',
  delay: 'Carries the operation out at once and answers later.',
  status: 'Refuses with a status before anything is done.',
  poison: 'Refuses before anything is done and stores that refusal under the request id.',
  garbage:
    'Carries the operation out and answers something that is not JSON, or half of it, or nothing, or the JSON of a gateway.',
  drip: 'Carries the operation out and sends the answer slowly.',
  unknown_enum: 'Carries the operation out and answers with an undocumented value.',
  reshape: 'Carries the operation out and omits fields of the answer, or adds some.',
  stale_read: 'A read shows the state of a moment ago.',
  decline: 'The funding source, or the sender’s balance, declines.',
  pending: 'The operation answers “pending”; the outcome is known later.',
  drop_delivery: 'Never sends the delivery of an event.',
  duplicate_delivery: 'Sends a delivery several times at the same moment.',
  reorder_deliveries: 'Holds a delivery until a later event has been delivered.',
  delay_delivery: 'Sends a delivery later.',
  corrupt_delivery: 'Sends a delivery whose signature does not match.',
};

export function explain(kind: string): string {
  return Object.hasOwn(EXPLANATIONS, kind) ? EXPLANATIONS[kind as FaultKind['kind']] : '';
}
