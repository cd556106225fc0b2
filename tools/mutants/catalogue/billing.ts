import { type Mutant, mutantsOf } from '../mutant.js';

const subscription = 'libs/workflows/src/lifecycle/subscription';

/** Plans, and what is billed by agreements to them. */
export const billingMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: `${subscription}/deadlines.ts`,
      killers: ['test/lifecycle/subscription/subscription.test.ts'],
    },
    [
      {
        name: 'approval-is-tried-ever-more-rarely',
        harm: 'a payer who has approved and closed the tab is found half a day later',
        from: 'const wait = pollWait(order.patience, approvalPolls);',
        to: 'const wait = order.patience.firstPollMs * 2 ** approvalPolls;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: `${subscription}/observation.ts`,
      killers: ['test/lifecycle/subscription/subscription.test.ts'],
    },
    [
      {
        name: 'end-waits-for-reads-to-settle',
        harm: 'an agreement that has expired is called active, and is asked for changes that it cannot take',
        from: 'if (isTerminal(shownStatus) || shownStatus === status) return false;',
        to: 'if (shownStatus === status) return false;',
      },
      {
        name: 'read-that-lags-undoes-a-suspension',
        harm: 'a suspended agreement is told to the order service as one that is billed',
        from: 'return readsSettleAt !== undefined && now < readsSettleAt;',
        to: 'return false;',
      },
    ],
  ),
  ...mutantsOf(
    { file: `${subscription}/review.ts`, killers: ['test/lifecycle/subscription/review.test.ts'] },
    [
      {
        name: 'execution-is-undone-on-word',
        harm: 'an agreement is declined on record, and its payer is billed for years with nobody minding it',
        from: `return type === 'executeAgreement';`,
        to: 'return false;',
      },
      {
        name: 'cancellation-stands-on-word',
        harm: 'an agreement is cancelled on record by an operator’s mistake, and is billed on',
        from: `    default:
      return undefined;`,
        to: `    case 'cancelAgreement':
      return { type: 'agreementCancelled' };
    default:
      return undefined;`,
      },
      {
        name: 'undone-execution-stays-in-doubt',
        harm: 'an order stands between all states though a person has decided about it',
        from: `return 'from' in step ? failChange(state, { reason }, now) : end(state, 'declined', now, reason);`,
        to: 'return failChange(state, { reason }, now);',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/activities/verify-subscription-decision.ts',
      killers: ['test/e2e/subscription-review.test.ts'],
    },
    [
      {
        name: 'any-agreement-is-ours',
        harm: 'by a slip of an operator, another payer’s agreement is taken for this one’s',
        from: 'if (agreement.returnUrl !== returnUrl) {',
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/plan/transition.ts',
      killers: ['test/lifecycle/plan/plan.test.ts'],
    },
    [
      {
        name: 'older-read-of-a-plan-is-taken',
        harm: 'a plan that is no longer offered is subscribed to',
        from: 'if (isOlder || shown === undefined',
        to: 'if (shown === undefined',
      },
    ],
  ),
];
