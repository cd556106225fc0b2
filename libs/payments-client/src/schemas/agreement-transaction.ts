import { z } from 'zod';
import type { Amount } from '../money.js';
import { instantOf, type Open, optionalAmount, optionalId, optionalInstant } from './received.js';

/** A transaction of an agreement: a payment, a failed payment, or a change of state. */
export interface AgreementTransaction {
  /** Of the sale; of the agreement itself where no money moved. */
  readonly id: string | undefined;
  readonly status: AgreementTransactionStatus;
  /** Undefined for a change of state: `Created`, `Suspended`, … */
  readonly amount: Amount | undefined;
  /** ISO 8601. */
  readonly time: string | undefined;
}

export type AgreementTransactionStatus = Open<
  | 'Completed'
  | 'Partially_Refunded'
  | 'Pending'
  | 'Refunded'
  | 'Denied'
  | 'Failed'
  | 'Created'
  | 'Updated'
  | 'Suspended'
  | 'Reactivated'
  | 'Canceled'
  | 'Expired'
>;

const agreementTransaction = z
  .object({
    transaction_id: optionalId,
    status: z.string(),
    amount: optionalAmount,
    // The recorded name and the later one.
    time_stamp: optionalInstant,
    time_updated: optionalInstant,
  })
  .transform((wire): AgreementTransaction => ({
    id: wire.transaction_id ?? undefined,
    status: wire.status,
    amount: wire.amount ?? undefined,
    time: instantOf(wire.time_stamp) ?? instantOf(wire.time_updated),
  }));

export const agreementTransactions: z.ZodType<readonly AgreementTransaction[]> = z
  .object({ agreement_transaction_list: z.array(agreementTransaction).nullish() })
  .transform((wire) => wire.agreement_transaction_list ?? []);
