import { z } from 'zod';
import { ERROR_NAMES } from '../http/api-error.js';
import { fieldPath } from './field-path.js';

const delay = z.int().min(0).max(600_000);
const refusalStatus = z.int().min(400).max(599);
const MOST_FIELDS = 20;
/** Each may occur in thousands of places of one answer. */
const LONGEST_ADDITIONS = 4_000;

/** The answer to a call differs from an undisturbed service's. */
const callKinds = [
  /** Carries the operation out, then destroys the socket. */
  z.strictObject({ kind: z.literal('drop_reply') }),
  /**
   * Holds the call for `delayMs`; the operation runs `executeAfterMs` after the call came, even if the caller has
   * disconnected.
   */
  z.strictObject({
    kind: z.literal('late'),
    delayMs: delay.default(60_000),
    executeAfterMs: delay.default(1_000),
  }),
  /** Carries the operation out and answers `delayMs` later. */
  z.strictObject({ kind: z.literal('delay'), delayMs: delay }),
  /** Refuses before anything is done. `retryAfter`: seconds. */
  z.strictObject({
    kind: z.literal('status'),
    status: refusalStatus,
    retryAfter: z.int().min(0).max(86_400).optional(),
  }),
  /** Refuses before anything is done and, when the request id is honoured, stores that refusal under it. */
  z.strictObject({
    kind: z.literal('poison'),
    /** Absent: that of `name`, else 500. */
    status: refusalStatus.optional(),
    name: z.enum(ERROR_NAMES).optional(),
  }),
  /**
   * Carries the operation out and answers something that is not JSON, or only the first half of the JSON, or the JSON of
   * a gateway that has answered in its place.
   */
  z.strictObject({
    kind: z.literal('garbage'),
    body: z.enum(['html', 'truncated', 'empty', 'gateway_json']).default('html'),
    /** Absent: those of the real answer. */
    status: z.int().min(200).max(599).optional(),
    contentType: z
      .string()
      .regex(/^[\w.+-]+\/[\w.+-]+(; ?[\w-]+=[\w-]+)*$/)
      .max(100)
      .optional(),
  }),
  /** Carries the operation out and sends the answer's body slowly. */
  z.strictObject({
    kind: z.literal('drip'),
    chunkBytes: z.int().min(1).max(65_536).default(16),
    everyMs: z.int().min(1).max(60_000).default(100),
  }),
  /** Carries the operation out and answers with an undocumented value. */
  z.strictObject({
    kind: z.literal('unknown_enum'),
    field: fieldPath.default('**.state'),
    value: z.string().max(100).default('undocumented_state'),
  }),
  /** Carries the operation out and omits fields of the answer, or adds others. */
  z
    .strictObject({
      kind: z.literal('reshape'),
      remove: z.array(fieldPath).max(MOST_FIELDS).default([]),
      add: z
        .record(fieldPath, z.json())
        .refine((add) => Object.keys(add).length <= MOST_FIELDS, `At most ${MOST_FIELDS} fields`)
        .refine(
          (add) => JSON.stringify(add).length <= LONGEST_ADDITIONS,
          `At most ${LONGEST_ADDITIONS} characters of JSON`,
        )
        .default({}),
    })
    .refine(({ remove, add }) => remove.length + Object.keys(add).length > 0, {
      path: ['remove'],
      message: 'Name a field to remove or to add',
    }),
  /** A read shows the state of up to `lagMs` ago. */
  z.strictObject({ kind: z.literal('stale_read'), lagMs: z.int().min(200).max(30_000) }),
  /** The payer's funding source, or the sender's balance, declines: the operation itself decides what that means. */
  z.strictObject({ kind: z.literal('decline') }),
  /** The money is under way: the operation answers `pending`, and the outcome is known `afterMs` later. */
  z.strictObject({
    kind: z.literal('pending'),
    settlesAs: z.enum(['completed', 'denied']).default('completed'),
    afterMs: delay.default(1_000),
  }),
] as const;

/** An event does not reach its webhook once, soon, in order and unchanged. */
const deliveryKinds = [
  /** Never sends it. */
  z.strictObject({ kind: z.literal('drop_delivery') }),
  /** Sends it `copies` times more, all at the same moment. */
  z.strictObject({ kind: z.literal('duplicate_delivery'), copies: z.int().min(1).max(100).default(1) }),
  /** Holds it until a later event has been delivered to the same webhook, for at most `holdMs`. */
  z.strictObject({ kind: z.literal('reorder_deliveries'), holdMs: delay.default(10_000) }),
  /** Sends it `delayMs` later. */
  z.strictObject({ kind: z.literal('delay_delivery'), delayMs: delay }),
  /** Sends it with a signature that does not match the body, itself, or the webhook. */
  z.strictObject({
    kind: z.literal('corrupt_delivery'),
    part: z.enum(['body', 'signature', 'webhook_id']).default('body'),
  }),
] as const;

const callKind = z.discriminatedUnion('kind', callKinds);
const deliveryKind = z.discriminatedUnion('kind', deliveryKinds);

/** What a fault does to the call, or to the delivery, that it affects. */
export const faultKind = z.discriminatedUnion('kind', [...callKinds, ...deliveryKinds]);

export type FaultKind = z.output<typeof faultKind>;
export type CallFaultKind = z.output<typeof callKind>;
export type DeliveryFaultKind = z.output<typeof deliveryKind>;
/** What an operation decides by itself once it runs. */
export type OutcomeFault = Extract<FaultKind, { kind: 'decline' | 'pending' }>;
export type PoisonFault = Extract<FaultKind, { kind: 'poison' }>;

export function isDeliveryFault<Kind extends Pick<FaultKind, 'kind'>>(
  kind: Kind,
): kind is Kind & DeliveryFaultKind {
  return deliveryKinds.some(({ shape }) => shape.kind.value === kind.kind);
}

export function isOutcomeFault<Kind extends Pick<FaultKind, 'kind'>>(
  kind: Kind,
): kind is Kind & OutcomeFault {
  return kind.kind === 'decline' || kind.kind === 'pending';
}
