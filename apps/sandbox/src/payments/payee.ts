import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import type { TransactionRequest } from './transaction-schema.js';

/** The account that a payment credits. */
export interface Payee {
  id: string;
  /** As the request named it; null when it did not. */
  email: string | null;
}

/**
 * Interface, section 1: the funds go to the account with the given e-mail address, otherwise to the owner of the
 * calling application.
 * @throws ApiError VALIDATION_ERROR when the address and the id name different accounts, or the id names none.
 */
export async function findPayee(
  { accounts }: SandboxContext,
  { transaction, application }: UnitOfWork,
  payee: TransactionRequest['payee'],
): Promise<Payee> {
  if (payee === undefined) return { id: application.accountId, email: null };
  const { email, merchant_id } = payee;
  if (email !== undefined) {
    const id = accounts.idOfEmail(application.environment, email);
    if (merchant_id !== undefined && merchant_id !== id) {
      throw ApiError.invalid('transactions[0].payee.merchant_id', 'Names another account than the e-mail');
    }
    return { id, email };
  }
  const account = await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', merchant_id ?? '')
    .where('environment', '=', application.environment)
    .executeTakeFirst();
  if (account === undefined) throw ApiError.invalid('transactions[0].payee.merchant_id', 'No such account');
  return { id: account.id, email: null };
}
