import { z } from 'zod';
import { EVENT_TYPE_NAMES } from '../events/event-types.js';
import { IDENTIFIER } from '../http/identifiers.js';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '../http/operations.js';
import { namesOnePayment } from './aimed-at-payment.js';
import { faultKind, isDeliveryFault, type FaultKind } from './fault-kinds.js';
import { canStrike } from './fault-reach.js';

/** Which calls or deliveries a fault affects, and how often. */
const faultTarget = z.object({
  clientId: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  operation: z.enum([...OPERATION_NAMES, ...CLOCK_OPERATIONS, '*']).default('*'),
  /** Only calls that name this payment or a part of it, or deliveries of its events. */
  paymentId: z.string().trim().regex(IDENTIFIER, 'Must be the id of a payment').optional(),
  /** For faults of deliveries: only of this type. */
  eventType: z.enum(EVENT_TYPE_NAMES).optional(),
  /** Does not affect the matching calls before the nth. */
  nth: z.int().min(1).max(1_000_000).default(1),
  /** How many calls it affects; null: all. */
  times: z.int().min(1).max(1_000_000).nullable().default(1),
  probability: z.number().min(0).max(1).default(1),
  /** The same seed affects the same ones of a sequence of matching calls. */
  seed: z.int().default(1),
});

export type FaultTarget = z.output<typeof faultTarget>;

/** A request to switch a fault on: the target's fields and the kind's, side by side. */
export const faultRequest = z.record(z.string(), z.unknown()).transform((fields, refinement) => {
  const isOfTarget = ([key]: [string, unknown]) => Object.hasOwn(faultTarget.shape, key);
  const target = faultTarget.safeParse(Object.fromEntries(Object.entries(fields).filter(isOfTarget)));
  const kind = faultKind.safeParse(
    Object.fromEntries(Object.entries(fields).filter((field) => !isOfTarget(field))),
  );
  for (const issue of [target, kind].flatMap((part) => part.error?.issues ?? [])) {
    const isUnknown = issue.code === 'unrecognized_keys';
    const path = isUnknown ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    refinement.addIssue({ code: 'custom', path, message: isUnknown ? 'Unknown field' : issue.message });
  }
  if (!target.success || !kind.success) return z.NEVER;
  for (const [path, contradicted] of contradictions(target.data, kind.data)) {
    refinement.addIssue({ code: 'custom', path: [path], message: `Not possible with ${contradicted}` });
  }
  return { target: target.data, kind: kind.data };
});

export const storedFault = z.object({ target: faultTarget, kind: faultKind });

/** A fault that could never take effect is a mistake of the request: the wrong field, and what it contradicts. */
function contradictions(
  { operation, eventType, paymentId }: FaultTarget,
  kind: FaultKind,
): ['operation' | 'eventType', string][] {
  if (isDeliveryFault(kind)) return operation === '*' ? [] : [['operation', kind.kind]];
  const wrong: ['operation' | 'eventType', string][] = [];
  if (operation !== '*' && !canStrike(kind, operation)) wrong.push(['operation', kind.kind]);
  else if (operation !== '*' && paymentId !== undefined && !namesOnePayment(operation))
    wrong.push(['operation', 'paymentId']);
  if (eventType !== undefined) wrong.push(['eventType', kind.kind]);
  return wrong;
}
