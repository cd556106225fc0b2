import { z } from 'zod';
import { linkedId } from '../linked-id.js';
import type { Amount } from '../money.js';
import { links } from './link.js';
import {
  instantOf,
  type Open,
  openEnum,
  optionalId,
  optionalInstant,
  optionalText,
  resourceId,
  totalAmount,
} from './received.js';

export type AuthorizationState = Open<
  'pending' | 'authorized' | 'partially_captured' | 'captured' | 'expired' | 'denied' | 'voided'
>;

/** A hold on funds (2.4). */
export interface Authorization {
  readonly id: string;
  readonly state: AuthorizationState;
  readonly amount: Amount;
  readonly paymentId: string | undefined;
  readonly reasonCode: string | undefined;
  /** ISO 8601; until when capture can be attempted. Absent once voided. */
  readonly validUntil: string | undefined;
  readonly createTime: string | undefined;
  readonly updateTime: string | undefined;
}

export const authorization: z.ZodType<Authorization> = z
  .object({
    id: resourceId,
    state: openEnum<AuthorizationState>(),
    amount: totalAmount,
    parent_payment: optionalId,
    reason_code: optionalText,
    valid_until: optionalInstant,
    create_time: optionalInstant,
    update_time: optionalInstant,
    links,
  })
  .transform((wire) => ({
    id: wire.id,
    state: wire.state,
    amount: wire.amount,
    paymentId: wire.parent_payment ?? linkedId(wire.links, 'payment'),
    reasonCode: wire.reason_code ?? undefined,
    validUntil: instantOf(wire.valid_until),
    createTime: instantOf(wire.create_time),
    updateTime: instantOf(wire.update_time),
  }));
