import { amendMutants } from './amends.js';
import { balanceMutants } from './balances.js';
import { billingMutants } from './billing.js';
import { captureMutants } from './captures.js';
import { comparisonMutants } from './comparisons.js';
import { contestedMutants } from './contested.js';
import { deliveryMutants } from './deliveries.js';
import { inboxMutants } from './inbox.js';
import { lifecycleMutants } from './lifecycle.js';
import { moneyMutants } from './money.js';
import { outcomeMutants } from './outcomes.js';
import { pageMutants } from './pages.js';
import { payoutMutants } from './payouts.js';
import { readMutants } from './reads.js';
import { saleMutants } from './sales.js';
import { requestMutants } from './requests.js';
import { rowMutants } from './rows.js';
import { stepMutants } from './steps.js';
import { subjectRowMutants } from './subject-row.js';
import { subscriptionPaymentMutants } from './subscription-payments.js';
import { unnoticedMutants } from './unnoticed.js';
import type { Mutant } from './mutant.js';

export const mutants: readonly Mutant[] = [
  ...moneyMutants,
  ...lifecycleMutants,
  ...captureMutants,
  ...pageMutants,
  ...readMutants,
  ...saleMutants,
  ...billingMutants,
  ...balanceMutants,
  ...subscriptionPaymentMutants,
  ...payoutMutants,
  ...comparisonMutants,
  ...outcomeMutants,
  ...stepMutants,
  ...rowMutants,
  ...subjectRowMutants,
  ...deliveryMutants,
  ...inboxMutants,
  ...contestedMutants,
  ...amendMutants,
  ...requestMutants,
  ...unnoticedMutants,
];

/** Those whose killers need neither a database nor Temporal: seconds for all of them. */
export function quickMutants(): Mutant[] {
  return mutants.filter(({ killers }) => killers.every((killer) => /^test\/(unit|lifecycle)\//.test(killer)));
}
