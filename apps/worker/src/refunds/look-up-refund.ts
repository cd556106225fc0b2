import type { AttemptRow } from '../../../../libs/database/src/schema.js';
import type { RefundStepInput } from '../../../../libs/workflows/src/contract/refund.js';
import type { RefundEvent } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import { lookLimit } from '../provider/provider-clients.js';
import { answeredRefund } from '../provider/refund-facts.js';
import type { Look } from '../steps/look-up-step.js';
import type { ActivityContext } from '../context.js';

/** Whether the provider shows a refund under one of our references: the payment tells of all that it has given back. */
export async function lookForRefund(
  { providers }: ActivityContext,
  { identity, state: { claim } }: RefundStepInput,
  attempts: readonly AttemptRow[],
): Promise<Look<RefundEvent>> {
  if (claim.kind !== 'request') throw new Error('a refund made elsewhere has no request to look up');
  const { payments } = providers.for(identity);
  const { transactions } = await payments.get(claim.providerPaymentId, { signal: lookLimit() });
  const made = transactions
    .flatMap(({ refunds }) => refunds)
    .find(({ invoiceNumber }) => attempts.some(({ reference }) => reference === invoiceNumber));
  return made ? { type: 'refundAnswered', refund: answeredRefund(made, claim) } : 'absent';
}
