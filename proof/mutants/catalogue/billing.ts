import { type Mutant, mutantsOf } from './mutant.js';

const subscription = 'libs/workflows/src/lifecycle/subscription';

/** Plans, and what is billed by agreements to them. */
export const billingMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: `${subscription}/deadlines.ts`,
      killers: [
        'test/lifecycle/subscription/beginning.test.ts',
        'test/lifecycle/subscription/ended-subscription.test.ts',
      ],
    },
    [
      {
        name: 'ended-agreement-is-read-late',
        harm: 'an order service that has cancelled is told of the last payment minutes afterwards',
        from: 'return isFirst ? [poll(state.lastPollAt)] : owedReads(state);',
        to: 'return owedReads(state);',
      },
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
      file: 'apps/worker/src/steps/activities/record-event.ts',
      killers: ['test/e2e/subscriptions-near-the-end.test.ts'],
    },
    [
      {
        name: 'book-is-written-by-itself',
        harm: 'what has become of a payment is in the book, and told to nobody',
        from: 'await save(trx)',
        to: 'await save(work.context.db as never)',
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
    {
      file: `${subscription}/transition.ts`,
      killers: [
        'test/lifecycle/subscription/ended-subscription.test.ts',
        'test/lifecycle/subscription/subscription.test.ts',
      ],
    },
    [
      {
        name: 'cancellation-ends-the-reading',
        harm: 'a cycle that was billed right before is in no book of ours',
        from: `moved(closing(changed(state, 'cancelled', now).state, now))`,
        to: `changed(state, 'cancelled', now)`,
      },
      {
        name: 'refund-is-forgotten-in-doubt',
        harm: 'money that went back during a suspension of unknown outcome is shown as collected',
        from: `return taken.kind === 'stale' ? moved(owing) : taken;`,
        to: 'return steps.take(state, event, now);',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: `${subscription}/book.ts`,
      killers: [
        'test/lifecycle/subscription/subscription.test.ts',
        'test/lifecycle/subscription/ended-subscription.test.ts',
        'test/lifecycle/subscription/properties.test.ts',
      ],
    },
    [
      {
        name: 'list-that-lags-is-the-last',
        harm: 'a payment that the first list after the end does not show yet never comes into the book',
        from: 'const isConfirmed = confirmAt !== undefined && state.lastPollAt >= confirmAt;',
        to: 'const isConfirmed = confirmAt !== undefined;',
      },
      {
        name: 'pending-payment-holds-nothing-open',
        harm: 'a payment that is completed after the last cycle is collected, and told nobody',
        from: 'return arePaymentsOwed === true || confirmAt !== undefined || oldestPendingAt !== undefined;',
        to: 'return arePaymentsOwed === true || confirmAt !== undefined;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: `${subscription}/late-observation.ts`,
      killers: ['test/lifecycle/subscription/beginning.test.ts'],
    },
    [
      {
        name: 'fee-is-unpaid-by-a-list-that-lags',
        harm: 'a payer who has paid the setup fee is told that it is unpaid',
        from: 'return isLast && book.oldestPendingAt === undefined ? feeUnpaid : reason;',
        to: 'return feeUnpaid;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: `${subscription}/change-shown.ts`,
      killers: ['test/lifecycle/subscription/change-shown.test.ts'],
    },
    [
      {
        name: 'earlier-suspension-is-ours',
        harm: 'a subscription is called suspended, and its payer is billed on',
        from: `return laterMs === 0 && mayHaveBeenSo(shown, seenShown) ? 'absent' : event;`,
        to: 'return event;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: `${subscription}/open-step.ts`,
      killers: ['test/lifecycle/subscription/beginning.test.ts'],
    },
    [
      {
        name: 'executed-after-the-start',
        harm: 'a payer who approves late is billed for every cycle since the start at once',
        from: 'return executeBefore !== undefined && now >= executeBefore;',
        to: 'return false as boolean;',
      },
      {
        name: 'lapsed-by-the-clock',
        harm: 'a subscription that was executed is told as lapsed, and its payer is billed with nobody minding it',
        from: 'return order.provesLapse !== true && isTooLate(order, now);',
        to: 'return isTooLate(order, now);',
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
        from: `if ('from' in step) return`,
        to: 'return',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/subscriptions/verify-subscription-decision.ts',
      killers: ['test/e2e/subscription-review.test.ts'],
    },
    [
      {
        name: 'any-agreement-is-ours',
        harm: 'by a slip of an operator, another payer’s agreement is taken for this one’s',
        from: 'if (!isReturnTo(returnUrl, agreement.returnUrl)) {',
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
        from: 'if (isFromBefore || isOlder || shown === undefined',
        to: 'if (isFromBefore || shown === undefined',
      },
      {
        name: 'plan-is-active-again-by-a-read-from-before',
        harm: 'a plan that was deactivated is offered again for a while',
        from: 'if (isFromBefore || isOlder || shown === undefined',
        to: 'if (isOlder || shown === undefined',
      },
    ],
  ),
];
