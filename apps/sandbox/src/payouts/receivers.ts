import type { Accounts } from '../accounts/accounts.js';
import type { Environment } from '../database/tables.js';
import type { RequestedItem } from './payout-request.js';

/**
 * The account that an item credits, found without a query. An address names the same account as for a payee. An id
 * names an account of the sender's environment. An id of the other environment is treated like an unused one: the
 * account that has that id, in either environment, now or later, is not credited.
 */
export function receiverIdOf(
  accounts: Accounts,
  environment: Environment,
  { recipient_type, receiver }: Pick<RequestedItem, 'recipient_type' | 'receiver'>,
): string {
  if (recipient_type === 'EMAIL') return accounts.idOfEmail(environment, receiver);
  const isKnownHere = recipient_type === 'PAYPAL_ID' && accounts.environmentOf(receiver) === environment;
  return isKnownHere ? receiver : accounts.idOfUnknownAccount(environment, `${recipient_type} ${receiver}`);
}
