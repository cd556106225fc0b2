import { type Mutant, mutantsOf } from './mutant.js';

/** The book of a subscription's payments, and the lists that it is read from. */
export const subscriptionPaymentMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/database/src/subjects/subscription-payments.ts',
      killers: ['test/outcomes/subscription-book.test.ts'],
    },
    [
      {
        name: 'older-reads-overwrite-the-book',
        harm: 'money that was collected is shown as on its way for good',
        from: `
        .whereRef('subscription_payments.read_at', '<=', 'excluded.read_at')`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/subscription/payment-status.ts',
      killers: ['test/outcomes/subscription-book.test.ts'],
    },
    [
      {
        name: 'unknown-word-takes-back-a-payment',
        harm: 'money that was collected is in no sum any more, because the last list named it by a new word',
        from: `if (inBook !== undefined && shown === 'unknown') return inBook;`,
        to: '',
      },
      {
        name: 'lagging-list-takes-back-a-payment',
        harm: 'money that was told as collected is shown as on its way again',
        from: `if (inBook !== undefined && inBook !== 'unknown' && shown === 'pending') return inBook;`,
        to: '',
      },
      {
        name: 'chargeback-becomes-a-refund',
        harm: 'what was charged back is shown as given back, because its sale left out why',
        from: `return inBook === 'reversed' && isRefund ? inBook : shown;`,
        to: 'void isRefund; return shown;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/subscriptions/observe-agreement.ts',
      killers: ['test/outcomes/subscription-book.test.ts'],
    },
    [
      {
        name: 'repeated-reads-tell-nothing',
        harm: 'a run falls behind its rows, and what it tells next is lost',
        from: ' ?? (await findDetail(trx, subject.id, line))',
        to: '; void findDetail; void line',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/subscriptions/observe-agreement.ts',
      killers: ['test/outcomes/subscription-lists.test.ts'],
    },
    [
      {
        name: 'running-agreement-is-believed-beside-a-cut-list',
        harm: 'a payment that one list left out is in the book only once the next cycle is billed, a month later',
        from: 'mayLackPayments: mayLackPayments || state.confirmAt === undefined',
        to: 'mayLackPayments',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/subscriptions/require-own-sales.ts',
      killers: ['test/outcomes/subscription-lists.test.ts'],
    },
    [
      {
        name: 'list-of-another-agreement-is-believed',
        harm: 'a cycle that somebody else has paid for is told as collected, for good',
        from: 'if (!isOwn) throw new UnreadableAnswerError();',
        to: 'void isOwn; void UnreadableAnswerError;',
      },
      {
        name: 'usual-cycle-costs-a-call',
        harm: 'each cycle of each subscription reads its sale, though the agreement has named it',
        from: ' && secondOf(at.getTime()) !== secondOf(lastPaymentAt)',
        to: ' && lastPaymentAt > 0 && secondOf(at.getTime()) !== 0',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/subscription/book.ts',
      killers: [
        'test/lifecycle/subscription/read-payments.test.ts',
        'test/lifecycle/subscription/properties.test.ts',
      ],
    },
    [
      {
        name: 'failure-is-missed-by-a-list-that-lags',
        harm: 'a failed payment is told nobody before the next cycle, a month or a year later',
        from: 'return shown.failedPayments > 0 || shown.outstandingMinor > (billing?.outstandingMinor ?? 0);',
        to: 'return false;',
      },
      {
        name: 'failed-fee-is-missed-by-a-list-that-lags',
        harm: 'a setup fee that failed with the execution is told nobody before the first cycle',
        from: 'return isOwing && arePaymentsOwed === true && confirmAt === undefined;',
        to: 'return (isOwing && arePaymentsOwed && !confirmAt && false) === true;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/agreement-payments.ts',
      killers: ['test/outcomes/subscription-lists.test.ts'],
    },
    [
      {
        name: 'payment-without-an-id-is-the-agreement’s',
        harm: 'a payment is counted twice for good, under its own id and under another one',
        from: 'if (id === undefined || hasCardNumber(id)) throw new UnreadableAnswerError();',
        to: 'id ??= agreementId;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/unconfirmed-payments.ts',
      killers: ['test/unit/unconfirmed-payments.test.ts'],
    },
    [
      {
        name: 'list-without-the-latest-payment-is-whole',
        harm: 'the last payment of a subscription never comes into its book',
        from: 'secondOf(payment.at.getTime()) >= earliest',
        to: 'earliest > 0',
      },
      {
        name: 'old-payment-is-not-missed',
        harm: 'a cycle that was billed while no worker ran is told nobody, because one list left it out',
        from: '(isNew || isFresh(state, lastPaymentAt, listed))',
        to: '(isFresh(state, lastPaymentAt, listed) || (isNew && false))',
      },
      {
        name: 'other-times-stay-unconfirmed',
        harm: 'the run of a provider whose lists have other times never ends, and its payments are in no book',
        from: 'return readAt < Math.max(paidAt, confirmAt) + order.patience.reviewAfterMs;',
        to: 'return readAt + paidAt + confirmAt + order.patience.reviewAfterMs > 0;',
      },
      {
        name: 'payment-that-settled-late-is-missed',
        harm: 'after each payment that was on its way, its book stands still for minutes',
        from: 'arrivedAt > Date.parse(createTime)',
        to: 'arrivedAt < Date.parse(createTime)',
      },
    ],
  ),
];
