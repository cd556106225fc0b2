import type { Instant } from './lifecycle.js';
import type { Money } from './money.js';

/** The resource inside a webhook event, reduced to what tells whether the event is news. */
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
  /** Of an authorization, a capture or a sale, where the event tells. */
  readonly amount?: Money;
  /** Of a refund: that of whoever asked for it, by which our own are told from those made elsewhere. */
  readonly reference?: string;
  /** Of a payment that its payer has approved. */
  readonly payerId?: string;
  /** When the provider last changed a plan, an agreement or a payment of one, where the event tells. */
  readonly updatedAt?: Instant;
}
