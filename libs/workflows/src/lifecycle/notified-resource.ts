import type { Instant } from './lifecycle.js';
import type { Money } from './money.js';

/** The resource in a webhook event, reduced to the facts that show whether the event is news. */
export interface NotifiedResource {
  readonly kind:
    | 'payment'
    | 'authorization'
    | 'capture'
    | 'sale'
    | 'refund'
    | 'plan'
    | 'agreement'
    | 'payout'
    | 'payout_item'
    | 'other';
  readonly id: string;
  readonly state: string;
  /** The amount of an authorization, capture or sale, if the event has it. */
  readonly amount?: Money;
  /** The reference of a refund's request; it distinguishes our own refunds from those made elsewhere. */
  readonly reference?: string;
  /** The payer of an approved payment. */
  readonly payerId?: string;
  /** When the provider last changed a plan, an agreement or its payment, if the event has it. */
  readonly updatedAt?: Instant;
}

/** A provider may round its instants: of two changes in a whole second, an equal instant does not tell which is meant. */
export function isWholeSecond(at: Instant): boolean {
  return at % 1_000 === 0;
}
