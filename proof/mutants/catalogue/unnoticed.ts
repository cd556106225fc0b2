import { type Mutant, mutantsOf } from './mutant.js';

/** Small changes that no unit test noticed until a reader made them one after the other. */
export const unnoticedMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/reauthorization.ts',
      killers: ['test/lifecycle/payment/policies-after-reauthorization.test.ts'],
    },
    [
      {
        name: 'reauthorized-holds-have-no-expiry-policy',
        harm: 'a hold that was reauthorized lapses, although the order says to capture it before its end',
        from: 'state.settlementTried && validUntil === known.validUntil',
        to: 'validUntil === known.validUntil',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/reauthorization.ts',
      killers: ['test/lifecycle/payment/reauthorizable-amounts.test.ts'],
    },
    [
      {
        name: 'limits-grow-with-each-reauthorization',
        harm: '115 % of 115 % of the first hold is asked for, which the provider refuses',
        from: 'reauthorizationsOf(state).earlier[0]?.minor ?? minor',
        to: 'minor',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/open-step.ts',
      killers: ['test/lifecycle/payment/poll-deadlines.test.ts'],
    },
    [
      {
        name: 'news-during-a-call-is-used-up',
        harm: 'what somebody captures in the dashboard during a call is captured a second time',
        from: `return taken.kind === 'stale' && remembering !== state ? moved(remembering) : taken;`,
        to: 'return taken;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/observed-captures.test.ts'],
    },
    [
      {
        name: 'voids-forget-captures-of-others',
        harm: 'a payment of which somebody has captured a part is shown as voided',
        from: 'captures: shown.reduce(adoptCapture, state.captures) };',
        to: 'captures: state.captures };',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/refund/refundable.ts',
      killers: ['test/lifecycle/refund/refundable.test.ts'],
    },
    [
      {
        name: 'refunds-of-all-that-is-left',
        harm: 'all of a capture goes back where a part of it was asked for',
        from: 'amount: amount ?? { minor: left, currency }',
        to: 'amount: { minor: left, currency }',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/refund/notification.ts',
      killers: ['test/unit/second-refund-of-a-reference.test.ts'],
    },
    [
      {
        name: 'awaited-refunds-are-of-another',
        harm: 'a refund whose answer was lost counts twice',
        from: 'known !== undefined && known !== id',
        to: 'known !== id',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/webhook-inbox/src/reported-refund.ts',
      killers: ['test/unit/names-of-reported-refunds.test.ts'],
    },
    [
      {
        name: 'reported-refunds-have-two-rows',
        harm: 'a refund made in the dashboard reduces what can be refunded twice',
        from: 'written !== undefined && subjectOf(written.state.claim) !== subjectOf(claim)',
        to: 'written !== undefined',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/steps/attempts/error-mapping.ts',
      killers: ['test/unit/error-mapping.test.ts'],
    },
    [
      {
        name: 'new-holds-know-no-doubt',
        harm: 'a capture of a new hold whose outcome is unknown is made again',
        from: 'if (error instanceof NotFoundError && circumstances.isNew)',
        to: 'if (circumstances.isNew)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/transition.ts',
      killers: ['test/lifecycle/payment/policy-deadlines.test.ts'],
    },
    [
      {
        name: 'late-expiry-policies-are-due-for-good',
        harm: 'a hold whose capture is put off never ends: its run is busy until its history is full',
        from: 'settlementCameDue: settleBeforePutOff',
        to: 'settlementCameDue: takeBeforePutOff',
      },
    ],
  ),
];
