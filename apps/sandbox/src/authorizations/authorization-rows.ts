import type { Transaction } from 'kysely';
import type { AuthorizationRow, PaymentRow, Tables } from '../database/tables.js';
import type { Change } from './held-money.js';

/** An authorization whose row is locked until the transaction ends, with the payment it belongs to. */
export interface LockedAuthorization {
  authorization: AuthorizationRow;
  payment: PaymentRow;
}

/**
 * Locks an authorization, so that captures, voids, completions and the expiry of one authorization run one after the
 * other.
 */
export async function lockAuthorization(
  transaction: Transaction<Tables>,
  authorizationId: string,
  clientId?: string,
): Promise<LockedAuthorization | undefined> {
  let query = transaction
    .selectFrom('authorizations')
    .selectAll()
    .where('id', '=', authorizationId)
    .forUpdate();
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  const authorization = await query.executeTakeFirst();
  if (authorization === undefined) return undefined;
  const payment = await transaction
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', authorization.payment_id)
    .executeTakeFirstOrThrow();
  return { authorization, payment };
}

export function saveChange(
  transaction: Transaction<Tables>,
  authorizationId: string,
  { holding }: Change,
  now: Date,
): Promise<AuthorizationRow> {
  return transaction
    .updateTable('authorizations')
    .set({
      state: holding.state,
      captured_minor: holding.captured_minor,
      pending_minor: holding.pending_minor,
      released_minor: holding.released_minor,
      closing: holding.closing,
      updated_at: now,
    })
    .where('id', '=', authorizationId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
