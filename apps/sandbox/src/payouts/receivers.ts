import type { Accounts } from '../accounts/accounts.js';
import type { Environment } from '../database/tables.js';
import type { RequestedItem } from './payout-request.js';

/**
 * The account that an item credits, found without a query. An address names the account that a payee of this address is.
 * An id names an account of the sender's environment. An id of the other environment is, like one that nobody has, a
 * stranger's: whoever has that id, here or there, now or later, is not credited.
 */
export function receiverIdOf(
  accounts: Accounts,
  environment: Environment,
  { recipient_type, receiver }: Pick<RequestedItem, 'recipient_type' | 'receiver'>,
): string {
  if (recipient_type === 'EMAIL') return accounts.idOfEmail(environment, receiver);
  const isKnownHere = recipient_type === 'PAYPAL_ID' && accounts.environmentOf(receiver) === environment;
  return isKnownHere ? receiver : accounts.idOfStranger(environment, `${recipient_type} ${receiver}`);
}
