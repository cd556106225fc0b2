import { z } from 'zod';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '../http/operations.js';

const delay = z.int().min(0).max(600_000);

/** What a fault does to the call, or to the delivery, that it strikes. */
const faultKind = z.discriminatedUnion('kind', [
  /** Does the operation, then destroys the socket. */
  z.strictObject({ kind: z.literal('drop_reply') }),
  /** Holds the call `delayMs`; the operation runs `executeAfterMs` after the call came, also when the caller has gone. */
  z.strictObject({
    kind: z.literal('late'),
    delayMs: delay.default(60_000),
    executeAfterMs: delay.default(1_000),
  }),
  /** Does the operation and answers `delayMs` later. */
  z.strictObject({ kind: z.literal('delay'), delayMs: delay }),
  /** Refuses before anything is done. `retryAfter`: seconds. */
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    retryAfter: z.int().min(0).optional(),
  }),
  /** Does the operation and answers something that is not JSON, or only the first half of the JSON. */
  z.strictObject({ kind: z.literal('garbage'), body: z.enum(['html', 'truncated']).default('html') }),
  /** The payer's funding source, or the sender's balance, says no: the operation itself decides what that means. */
  z.strictObject({ kind: z.literal('decline') }),
  /** The money is under way: the operation answers `pending`, and the outcome is known `afterMs` later. */
  z.strictObject({
    kind: z.literal('pending'),
    settlesAs: z.enum(['completed', 'denied']).default('completed'),
    afterMs: delay.default(1_000),
  }),
  /** Never sends the delivery of an event. */
  z.strictObject({ kind: z.literal('drop_delivery') }),
]);

export type FaultKind = z.output<typeof faultKind>;
export type DeliveryFaultKind = Extract<FaultKind, { kind: 'drop_delivery' }>;
export type CallFaultKind = Exclude<FaultKind, DeliveryFaultKind>;
/** What an operation decides by itself once it runs. */
export type OutcomeFault = Extract<FaultKind, { kind: 'decline' | 'pending' }>;

/** Which calls or deliveries it strikes, and how often. */
const faultTarget = z.object({
  clientId: z.string().min(1).max(200).optional(),
  operation: z.enum([...OPERATION_NAMES, ...CLOCK_OPERATIONS, '*']).default('*'),
  /** `drop_delivery` only. */
  eventType: z.string().max(100).optional(),
  /** Spares the matching calls before the nth. */
  nth: z.int().min(1).default(1),
  /** How often it strikes; null: always. */
  times: z.int().min(1).nullable().default(1),
  probability: z.number().min(0).max(1).default(1),
  /** The same seed strikes the same ones of a sequence of matching calls. */
  seed: z.int().default(1),
});

export type FaultTarget = z.output<typeof faultTarget>;

/** A request to switch a fault on: the target's fields and the kind's, side by side. */
export const faultRequest = z.record(z.string(), z.unknown()).transform((fields, refinement) => {
  const targetFields = Object.keys(faultTarget.shape);
  const isOfTarget = ([key]: [string, unknown]) => targetFields.includes(key);
  const target = faultTarget.safeParse(Object.fromEntries(Object.entries(fields).filter(isOfTarget)));
  const kind = faultKind.safeParse(
    Object.fromEntries(Object.entries(fields).filter((field) => !isOfTarget(field))),
  );
  for (const issue of [target, kind].flatMap((part) => part.error?.issues ?? [])) {
    const isUnknown = issue.code === 'unrecognized_keys';
    const path = isUnknown ? issue.keys.slice(0, 1) : issue.path;
    refinement.addIssue({ code: 'custom', path, message: isUnknown ? 'Unknown field' : issue.message });
  }
  return target.success && kind.success ? { target: target.data, kind: kind.data } : z.NEVER;
});

export const storedFault = z.object({ target: faultTarget, kind: faultKind });
