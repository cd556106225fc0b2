import type { Payment } from './schemas/payment.js';

/**
 * The id under which the provider's dashboard would list an answer: for a payment its sale or authorization,
 * which is what money hangs on; for anything else its own.
 */
export function transactionIdOf(answer: unknown): string | undefined {
  if (!isIdentified(answer)) return undefined;
  if (!('transactions' in answer)) return answer.id;
  const [first] = (answer as Payment).transactions;
  return first?.saleId ?? first?.authorizationId ?? answer.id;
}

function isIdentified(answer: unknown): answer is { readonly id: string } {
  return typeof answer === 'object' && answer !== null && 'id' in answer;
}
