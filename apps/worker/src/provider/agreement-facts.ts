import type { Agreement } from '#payments-client';
import { type Money, parseMoney } from '#workflows/lifecycle';
import type { AgreementFacts, Billing } from '#workflows/lifecycle/subscription';
import { UnreadableAnswerError } from './provider-facts.js';

/**
 * Reduces an agreement to the facts that the lifecycle uses.
 *
 * @param currency of the plan; an amount in another one throws UnreadableAnswerError.
 */
export function agreementFactsOf(agreement: Agreement, currency: string): AgreementFacts {
  return { agreementId: agreement.id, shown: agreement.state, billing: billingOf(agreement, currency) };
}

function billingOf({ details, updateTime }: Agreement, currency: string): Billing {
  const { cyclesRemaining, lastPaymentAmount } = details;
  // For an agreement without an end, the public API answers 0 and leaves out the date of the last payment.
  const isEndless = cyclesRemaining === 0 && details.finalPaymentDate === undefined;
  return {
    ...instant('updatedAt', updateTime),
    cyclesCompleted: details.cyclesCompleted ?? 0,
    ...(cyclesRemaining !== undefined && !isEndless && { cyclesRemaining }),
    ...instant('nextBillingAt', details.nextBillingDate),
    ...instant('finalPaymentAt', details.finalPaymentDate),
    ...instant('lastPaymentAt', details.lastPaymentDate),
    ...(lastPaymentAmount && { lastPaymentMinor: minorOf(lastPaymentAmount, currency) }),
    outstandingMinor: details.outstandingBalance ? minorOf(details.outstandingBalance, currency) : 0,
    failedPayments: details.failedPaymentCount ?? 0,
  };
}

/** In minor units. @throws {UnreadableAnswerError} for another currency than the plan's. */
export function minorOf(
  amount: { readonly value: string; readonly currency: string },
  currency: string,
): Money['minor'] {
  if (amount.currency !== currency) throw new UnreadableAnswerError();
  return parseMoney(amount.value, currency).minor;
}

function instant<Name extends string>(
  name: Name,
  iso: string | undefined,
): { readonly [Key in Name]?: number } {
  return (iso === undefined ? {} : { [name]: Date.parse(iso) }) as { readonly [Key in Name]?: number };
}
