import { z } from 'zod';
import type { PaymentState } from '#workflows/lifecycle/payment';
import type { PayoutState } from '#workflows/lifecycle/payout';
import type { PlanState } from '#workflows/lifecycle/plan';
import type { RefundState } from '#workflows/lifecycle/refund';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { shownInstant, iso } from './fields.js';
import { shownMoney } from './wire-money.js';

type AnyState = PaymentState | PayoutState | PlanState | RefundState | SubscriptionState;
type Step = NonNullable<AnyState['openStep']>['step'];

/** The API's names of the calls to the provider. */
const kinds = {
  createPayment: 'create',
  executePayment: 'execute',
  captureAuthorization: 'capture',
  voidAuthorization: 'void',
  reauthorizeAuthorization: 'reauthorize',
  makeRefund: 'refund',
  createPlan: 'create',
  activatePlan: 'activate',
  deactivatePlan: 'deactivate',
  createAgreement: 'create',
  executeAgreement: 'execute',
  suspendAgreement: 'suspend',
  reactivateAgreement: 'reactivate',
  cancelAgreement: 'cancel',
  billBalance: 'billBalance',
  setBalance: 'setBalance',
  createPayout: 'payout',
  cancelPayoutItem: 'cancelItem',
} as const satisfies Record<Step['type'], string>;

export const shownPendingOperation = z
  .object({
    kind: z.enum([...new Set(Object.values(kinds)), 'release']),
    amount: shownMoney.nullable().meta({ description: 'Null if the operation has no amount.' }),
    itemId: z.string().optional().meta({ description: 'The item of a payout that is being cancelled.' }),
    since: shownInstant.meta({
      description: 'When its outcome became unknown; otherwise when it began.',
    }),
    nextCheckAt: shownInstant.nullable().meta({
      description:
        'When the provider is asked next, or the call is repeated; null while a call is under way.',
    }),
    reviewAt: shownInstant.nullable().meta({
      description:
        'When the review opens if the outcome is still unknown; null after that, and if the outcome is not unknown.',
    }),
  })
  .meta({
    id: 'PendingOperation',
    description:
      'The call to the provider whose outcome is not known yet. The link `review` shows the evidence; POST to the link `check` asks the provider at once.',
  });
type ShownPendingOperation = z.output<typeof shownPendingOperation>;

/** @param amount the amount that the operation moves or holds. */
export function viewPendingOperation(
  { openStep }: AnyState,
  amount: ShownPendingOperation['amount'] = null,
): ShownPendingOperation | null {
  if (!openStep) return null;
  const { step, phase, since, nextAt, reviewAt } = openStep;
  return {
    kind: 'isRelease' in step && step.isRelease ? 'release' : kinds[step.type],
    amount,
    ...('itemId' in step && { itemId: step.itemId }),
    since: iso(since),
    nextCheckAt: phase === 'running' ? null : iso(nextAt),
    reviewAt: phase === 'doubt' && reviewAt !== undefined ? iso(reviewAt) : null,
  };
}
