import { amendMutants } from './catalogue/amends.js';
import { billingMutants } from './catalogue/billing.js';
import { captureMutants } from './catalogue/captures.js';
import { comparisonMutants } from './catalogue/comparisons.js';
import { contestedMutants } from './catalogue/contested.js';
import { deliveryMutants } from './catalogue/deliveries.js';
import { inboxMutants } from './catalogue/inbox.js';
import { lifecycleMutants } from './catalogue/lifecycle.js';
import { moneyMutants } from './catalogue/money.js';
import { outcomeMutants } from './catalogue/outcomes.js';
import { pageMutants } from './catalogue/pages.js';
import { payoutMutants } from './catalogue/payouts.js';
import { readMutants } from './catalogue/reads.js';
import { saleMutants } from './catalogue/sales.js';
import { requestMutants } from './catalogue/requests.js';
import { rowMutants } from './catalogue/rows.js';
import { stepMutants } from './catalogue/steps.js';
import { subscriptionPaymentMutants } from './catalogue/subscription-payments.js';
import type { Mutant } from './mutant.js';

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...lifecycleMutants,
  ...captureMutants,
  ...pageMutants,
  ...readMutants,
  ...saleMutants,
  ...billingMutants,
  ...subscriptionPaymentMutants,
  ...payoutMutants,
  ...comparisonMutants,
  ...outcomeMutants,
  ...stepMutants,
  ...rowMutants,
  ...deliveryMutants,
  ...inboxMutants,
  ...contestedMutants,
  ...amendMutants,
  ...requestMutants,
];

/** Those whose killers need neither a database nor Temporal: seconds for all of them. */
export function quickMutants(): Mutant[] {
  return mutants.filter(({ killers }) => killers.every((killer) => /^test\/(unit|lifecycle)\//.test(killer)));
}
