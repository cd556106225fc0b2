import type { Payment } from '../schemas/payment.js';
import type { ListedPayoutItems } from '../schemas/payout-batch.js';

/**
 * The id under which the provider's dashboard would list an answer: for a payment the id of its sale or authorization;
 * for any other resource its own id.
 */
export function transactionIdOf(answer: unknown): string | undefined {
  if (isPayoutPage(answer)) return answer.batch.id;
  if (!isIdentified(answer)) return undefined;
  if (!('transactions' in answer)) return answer.id;
  const [first] = (answer as Payment).transactions;
  return first?.saleId ?? first?.authorizationId ?? answer.id;
}

/** A page of payout items is recorded under its batch. */
function isPayoutPage(answer: unknown): answer is ListedPayoutItems {
  return typeof answer === 'object' && answer !== null && 'batch' in answer;
}

function isIdentified(answer: unknown): answer is { readonly id: string } {
  return typeof answer === 'object' && answer !== null && 'id' in answer;
}
