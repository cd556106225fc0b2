import type { Transaction } from 'kysely';
import type { Collected } from '../books/refund-movements.js';
import type { Tables } from '../database/tables.js';
import type { Returnable } from './refundable-money.js';

/** Names a sale or a capture. */
export interface CollectedReference {
  kind: 'sale' | 'capture';
  id: string;
}

/** Locks a sale or a capture, so that its refunds, completions and reversals run one after the other. */
export function lockCollected(
  transaction: Transaction<Tables>,
  { kind, id }: CollectedReference,
  clientId?: string,
): Promise<Collected | undefined> {
  return kind === 'sale' ? lockSale(transaction, id, clientId) : lockCapture(transaction, id, clientId);
}

export async function saveReturnable(
  transaction: Transaction<Tables>,
  collected: Collected,
  returnable: Returnable,
  now: Date,
): Promise<Collected> {
  const { state, refunded_minor, refund_pending_minor, reversed_minor } = returnable;
  const change = { state, refunded_minor, refund_pending_minor, reversed_minor, updated_at: now };
  if (collected.kind === 'sale') {
    const row = await transaction
      .updateTable('sales')
      .set(change)
      .where('id', '=', collected.row.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...collected, row };
  }
  const row = await transaction
    .updateTable('captures')
    .set(change)
    .where('id', '=', collected.row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...collected, row };
}

async function lockSale(
  transaction: Transaction<Tables>,
  saleId: string,
  clientId: string | undefined,
): Promise<Collected | undefined> {
  let query = transaction.selectFrom('sales').selectAll().where('id', '=', saleId).forUpdate();
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  const row = await query.executeTakeFirst();
  if (row === undefined) return undefined;
  return { kind: 'sale', row, payerId: row.payer_id, payeeId: row.payee_id, custom: row.custom };
}

async function lockCapture(
  transaction: Transaction<Tables>,
  captureId: string,
  clientId: string | undefined,
): Promise<Collected | undefined> {
  let query = transaction.selectFrom('captures').selectAll().where('id', '=', captureId).forUpdate();
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  const row = await query.executeTakeFirst();
  if (row === undefined) return undefined;
  const { payer_id, payee_id, custom } = await transaction
    .selectFrom('payments')
    .select(['payer_id', 'payee_id', 'custom'])
    .where('id', '=', row.payment_id)
    .executeTakeFirstOrThrow();
  return { kind: 'capture', row, payerId: payer_id, payeeId: payee_id, custom };
}
