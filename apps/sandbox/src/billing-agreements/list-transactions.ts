import type { Kysely, Selectable } from 'kysely';
import { REAL_DAY_MS } from '../clock/instants.js';
import type { AgreementTransactionRow, SaleRow, Tables } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';
import type { TransactionQuery } from './agreement-request.js';
import type { ExecutedAgreement } from './agreement-rows.js';
import { findAgreement } from './find-agreements.js';

/** More than any agreement with real days has; limits the answer when days last milliseconds. */
const MOST = 10_000;

type ListedRow = Selectable<
  Pick<AgreementTransactionRow, 'kind' | 'amount_minor' | 'status' | 'created_at'>
> & {
  sale_id: string | null;
  sale_state: SaleRow['state'] | null;
};

/** Payments, failed payments and state changes of an agreement on some days (both included, UTC), the oldest first. */
export async function listTransactions(
  database: Kysely<Tables>,
  clientId: string,
  agreementId: string,
  range: TransactionQuery,
): Promise<object> {
  const agreement = await findAgreement(database, clientId, agreementId);
  const rows = await database
    .selectFrom('agreement_transactions as listed')
    .leftJoin('sales', 'sales.id', 'listed.sale_id')
    .select(['listed.kind', 'listed.amount_minor', 'listed.status', 'listed.created_at'])
    .select(['listed.sale_id', 'sales.state as sale_state'])
    .where('listed.agreement_id', '=', agreement.id)
    // A client of the public API would see no payment, no attempt and no change here.
    .where('listed.kind', '<>', 'waiver')
    .where('listed.created_at', '>=', new Date(range.start_date))
    .where('listed.created_at', '<', new Date(Date.parse(range.end_date) + REAL_DAY_MS))
    .orderBy('listed.created_at')
    .orderBy('listed.id')
    .limit(MOST)
    .execute();
  return { agreement_transaction_list: rows.map((row) => describeTransaction(row, agreement)) };
}

/** A transaction that moved no money carries the agreement's id and no amount, as the public API was recorded. */
function describeTransaction(row: ListedRow, agreement: ExecutedAgreement): object {
  const at = row.created_at.toISOString();
  const { currency } = agreement.terms;
  const money = (minor: number) => ({ currency, value: writeAmount(minor, currency) });
  const isPayment = row.status !== null;
  const { email = '', first_name = '', last_name = '' } = agreement.payer_info ?? {};
  return {
    transaction_id: row.sale_id ?? agreement.id,
    status: statusOf(row),
    transaction_type: 'Recurring Payment',
    ...(isPayment && {
      amount: money(row.amount_minor),
      fee_amount: money(0),
      net_amount: money(row.amount_minor),
    }),
    payer_email: isPayment ? email : '',
    payer_name: `${first_name} ${last_name}`.trim(),
    // The recorded name and the later one.
    time_stamp: at,
    time_updated: at,
    time_zone: 'GMT',
  };
}

const STATUS_OF_SALE: Readonly<Record<SaleRow['state'], string>> = {
  pending: 'Pending',
  completed: 'Completed',
  partially_refunded: 'Partially_Refunded',
  refunded: 'Refunded',
  denied: 'Denied',
};

/** The state of its sale; without a sale it is a payment that failed or had nothing to collect, or no payment. */
function statusOf({ kind, status, sale_state }: ListedRow): string {
  if (sale_state !== null) return STATUS_OF_SALE[sale_state];
  if (status === null) return kind;
  return status === 'completed' ? 'Completed' : 'Failed';
}
