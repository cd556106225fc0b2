import { type Mutant, mutantsOf } from './mutant.js';

const twoReads = ['test/outcomes/confirmed-by-two-reads.test.ts'];

/** What a read or a webhook may be taken for. */
export const readMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/observation.ts',
      killers: ['test/lifecycle/payment/observation.test.ts'],
    },
    [
      {
        name: 'contradictions-are-papered-over',
        harm: 'money that the provider shows and we do not is seen by nobody',
        from: `if (shown === captured) return { kind: 'stale', state };`,
        to: `if (shown >= 0) return { kind: 'stale', state };`,
      },
      {
        name: 'other-amount-is-adopted',
        harm: 'a capture that changes its amount is followed without a word',
        from: 'if (mine && mine.minor !== shown.minor)',
        to: 'if (mine && mine.minor < 0)',
      },
      {
        name: 'read-acts-on-an-open-step',
        harm: 'a step under way is decided on by a read that lags behind it',
        from: `if (state.openStep || !authorization) return { kind: 'stale', state };`,
        to: `if (!authorization) return { kind: 'stale', state };`,
      },
      {
        name: 'contradictions-hide-ends',
        harm: 'a hold that is no more is called held for ever',
        from: 'if (contradiction !== undefined && !isOver)',
        to: 'if (contradiction !== undefined)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/look-up-money-step.ts',
      killers: ['test/outcomes/cut-short-answers.test.ts'],
    },
    [
      {
        name: 'cut-answers-prove-absence',
        harm: 'a capture that an answer leaves out is made again',
        from: 'if (!showsWhatIsKnown(state, facts)) throw new UnreadableAnswerError();',
        to: 'void showsWhatIsKnown;\n  void UnreadableAnswerError;',
      },
      {
        name: 'nameless-captures-prove-absence',
        harm: 'a capture whose reference an answer leaves out is made again',
        from: `if (showsUnclaimedCapture(state, facts, step.minor)) return 'unreadable';`,
        to: 'void showsUnclaimedCapture;',
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/provider/read-again.ts', killers: twoReads }, [
    {
      name: 'one-look-proves-absence',
      harm: 'a capture that one answer leaves out is made again',
      from: 'if (!needsTwoReads(first))',
      to: 'if (needsTwoReads(first))',
    },
  ]),
  ...mutantsOf({ file: 'apps/worker/src/payments/observe-payment.ts', killers: twoReads }, [
    {
      name: 'one-read-ends-a-payment',
      harm: 'a payment ends as voided, and what was captured of it is told to nobody',
      from: '(isChanging ||= isChange(resultOf(shown)))',
      to: '(isChanging &&= isChange(resultOf(shown)))',
    },
  ]),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/observe-payment.ts',
      killers: ['test/outcomes/forgotten-executions.test.ts'],
    },
    [
      {
        name: 'lagging-read-hides-an-execution',
        harm: 'a hold that was told as authorized is called expired, and nobody minds it',
        from: `if (state.status !== 'awaiting_approval') return false;`,
        to: `if (state.status !== 'never') return false;`,
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/payments/look-up-money-step.ts', killers: twoReads }, [
    {
      name: 'former-hold-excludes-its-successor',
      harm: 'a hold that was reauthorized is told as refused',
      from: `if (authorization?.state === 'voided') return 'absent';`,
      to: '',
    },
    {
      name: 'unknown-state-ends-a-doubt',
      harm: 'a payment is cancelled whose execution then holds the money',
      from: `return outcome.type === 'paymentCreated' ? 'absent' : outcome;`,
      to: 'return outcome;',
    },
  ]),
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/payment/absence.ts', killers: twoReads }, [
    {
      name: 'former-hold-stands-for-its-successor',
      harm: 'a payment is called voided whose funds are still held',
      from: 'if (!authorization || isSuperseded(state, authorization.authorizationId)) return false;',
      to: 'void isSuperseded;\n  if (!authorization) return false;',
    },
  ]),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/find-payment.ts',
      killers: ['test/outcomes/cut-short-answers.test.ts'],
    },
    [
      {
        name: 'nameless-payments-prove-absence',
        harm: 'a payment whose references a list leaves out is created again',
        from: `if (payments.some((payment) => mayBeIt(payment, sought))) absence = 'unreadable';`,
        to: 'void mayBeIt;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/refunds/look-up-refund-request.ts',
      killers: ['test/faults/dying-refund-worker.test.ts'],
    },
    [
      {
        name: 'cut-answers-prove-that-nothing-went-back',
        harm: 'a refund that an answer leaves out is made again',
        from: 'return showsItsRefunds(transactions, claim) && !isUnclear',
        to: 'void showsItsRefunds;\n  return !isUnclear',
      },
      {
        name: 'nameless-refunds-prove-absence',
        harm: 'a refund whose reference an answer leaves out is made again',
        from: 'const isUnclear = unclearOf(nameless).length > 0;',
        to: 'const isUnclear = false;\n  void unclearOf;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/adopted-captures.ts',
      killers: ['test/lifecycle/payment/observation.test.ts'],
    },
    [
      {
        name: 'lagging-read-undoes-a-capture',
        harm: 'money that has come is shown as pending again',
        from: 'if (isFinal(mine)) return captures;',
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/read-ended-hold.ts',
      killers: ['test/e2e/captured-elsewhere.test.ts'],
    },
    [
      {
        name: 'final-captures-hide-what-others-captured',
        harm: 'a payment ends without a part that was captured elsewhere, which can never be refunded',
        from: "return final && status === 'completed' && captured + minor < authorized;",
        to: 'return final && captured + minor < 0;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/observation.test.ts'],
    },
    [
      {
        name: 'contradictions-fill-the-timeline',
        harm: 'each poll adds a row to the timeline, without bound',
        from: `if (contradiction === state.contradiction) return { kind: 'stale', state };`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/observation.ts',
      killers: ['test/lifecycle/payment/deadlines.test.ts'],
    },
    [
      {
        name: 'our-clock-ends-a-hold',
        harm: 'a hold that the provider still has is called expired and forgotten',
        from: 'return authorization.validUntil + dayLengthOf(authorization);',
        to: 'return authorization.validUntil - dayLengthOf(authorization);',
      },
      {
        name: 'captured-counts-as-expired',
        harm: 'money has moved and the payment says it expired',
        from: `if (shown === 'captured' && amountsOf(state).captured === 0) {`,
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/notification.ts',
      killers: ['test/lifecycle/payment/notification.test.ts'],
    },
    [
      {
        name: 'unknown-kinds-are-old-news',
        harm: 'a refund that a webhook tells of is never looked at',
        from: `    case 'other':
      return false;`,
        to: `    case 'other':
      return true;`,
      },
      {
        name: 'void-is-old-news-to-a-capture',
        harm: 'an event that contradicts a captured payment is set aside as known',
        from: 'return isTerminal(state.status) && state.released;',
        to: 'return isTerminal(state.status);',
      },
    ],
  ),
];
