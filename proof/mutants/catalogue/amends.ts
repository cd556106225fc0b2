import { type Mutant, mutantsOf } from './mutant.js';

const reviewTests = [
  'test/unit/decision-result.test.ts',
  'test/lifecycle/payment/review.test.ts',
  'test/outcomes/decisions.test.ts',
];
const refundTests = ['test/lifecycle/refund'];
const reconciliationTests = ['test/reconciliation/event-cursor.test.ts'];

/** What is made good afterwards: by an operator, by a refund, by reconciliation. */
export const amendMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'apps/worker/src/steps/reviews/decision-result.ts', killers: reviewTests }, [
    {
      name: 'an-operator-is-always-right',
      harm: '"it did not happen" is believed of money that the provider shows',
      from: 'if (eventOfDone(seen)) {',
      to: 'if (false as boolean) {',
    },
    {
      name: 'undone-is-decided-too-early',
      harm: 'what the provider still may carry out is given up and asked for again',
      from: 'if (lookedAt < horizonAt) {',
      to: 'if (false as boolean) {',
    },
    {
      name: 'happened-needs-no-proof',
      harm: 'a capture that the provider does not show is booked on a word',
      from: `  if (seen === 'absent') {
    return { refused: 'contradicted_by_provider', reason: 'The provider shows nothing of it.' };
  }
`,
      to: '',
    },
    {
      name: 'unreadable-is-verified',
      harm: 'a decision is taken for checked while the provider is away',
      from: 'return decided.isUnverified ? { event: onWord }',
      to: 'return onWord ? { event: onWord }',
    },
  ]),
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/payment/review.ts', killers: reviewTests }, [
    {
      name: 'any-decision-about-anything',
      harm: 'a hold is voided by a decision about a capture',
      from: 'if (!possible.includes(decided.decision)) return',
      to: 'if (false as boolean) return',
    },
  ]),
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/refund/read-back.ts', killers: refundTests }, [
    {
      name: 'one-read-refunds',
      harm: 'a refund that one lagging read shows is booked as money gone',
      from: 'if (isInDoubt && !isLongEnough)',
      to: 'if (false as boolean)',
    },
    {
      name: 'refunds-of-others-are-ours',
      harm: 'money that somebody else gave back is shown as ours',
      from: `  if (paymentId === undefined)
    return { kind: 'moved', state: { ...state, status: 'unfounded', reason: notOurs } };
`,
      to: '',
    },
    {
      name: 'refunds-beyond-the-capture',
      harm: 'more is shown as given back than was collected',
      from: '|| amount.minor > collected.amount.minor',
      to: '',
    },
    {
      name: 'refunds-change-their-amount',
      harm: 'a refund of another amount is followed without a word',
      from: 'if (state.amount && !isSame(state.amount, amount)) {',
      to: 'if (false as boolean) {',
    },
  ]),
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/refund/refundable.ts', killers: refundTests }, [
    {
      name: 'refunds-under-way-are-not-counted',
      harm: 'two refunds at once give back more than was captured',
      from: 'minor - refunded - reversed - underWay',
      to: 'minor - refunded - reversed - 0 * underWay',
    },
    {
      name: 'refunds-beyond-what-is-left',
      harm: 'more is asked for than was captured',
      from: 'if (amount && amount.minor > left) {',
      to: 'if (false as boolean) {',
    },
    {
      name: 'refunds-in-another-currency',
      harm: 'euros are counted against dollars',
      from: 'if (amount && amount.currency !== currency)',
      to: 'if (false as boolean)',
    },
    {
      name: 'refunds-of-pending-captures',
      harm: 'money is given back that has not come in',
      from: `if (source.status !== 'completed')`,
      to: `if (false as boolean)`,
    },
  ]),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/refund/late-refund.ts',
      killers: ['test/lifecycle/refund/late-refund.test.ts'],
    },
    [
      {
        name: 'second-executions-are-the-first',
        harm: 'what a late provider has given back twice is counted once, and asked for again',
        from: `return providerRefundId === shown.providerRefundId ? 'known' : 'another';`,
        to: `return 'known';`,
      },
      {
        name: 'late-refunds-stay-given-up',
        harm: 'money that has gone back is asked for again',
        from: `return shownAs === 'completed' && isAsAsked ? 'late' : 'another';`,
        to: `return 'known';`,
      },
      {
        name: 'open-requests-are-no-reason-to-wait',
        harm: 'a refund of ours is written off before its request has found it',
        from: `if (!isRefundTerminal(status)) return 'awaited';`,
        to: `if (!isRefundTerminal(status)) return 'known';`,
      },
    ],
  ),
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/refund/open-step.ts', killers: refundTests }, [
    {
      name: 'pending-refunds-are-done',
      harm: 'money is told to have gone back that may still come to nothing',
      from: 'const status = statusShown(refund.state);',
      to: `const status = statusShown(refund.state) && 'completed';`,
    },
  ]),
  ...mutantsOf({ file: 'apps/worker/src/reconciliation/reconcile-events.ts', killers: reconciliationTests }, [
    {
      name: 'cursor-before-the-insertion',
      harm: 'what was found when the process died is never searched for again',
      from: '    const taken = await takeWindow(context, owner, window, most);\n',
      to: `    await noteEventsSearched(db, owner, { until: new Date(window.until), found: 0 });
    const taken = await takeWindow(context, owner, window, most);
`,
    },
    {
      name: 'cursor-without-overlap',
      harm: 'an event that was committed late is never seen',
      from: 'const until = new Date(Math.min(window.until, now - overlapMs));',
      to: 'const until = new Date(window.until);',
    },
    {
      name: 'missing-events-are-passed-over',
      harm: 'a lost webhook is never made up for',
      from: 'if (!event.resourceIds.some((id) => own.has(id))) continue;',
      to: 'if (event.resourceIds.some((id) => own.has(id))) continue;',
    },
  ]),
  ...mutantsOf(
    { file: 'libs/workflows/src/lifecycle/restart.ts', killers: ['test/lifecycle/payment/restart.test.ts'] },
    [
      {
        name: 'restart-begins-again',
        harm: 'a call in flight is made again under another name',
        from: `if (openStep.phase !== 'running') return state;`,
        to: `if (openStep.phase !== 'running') return { ...state, openStep: { ...openStep, attempts: openStep.attempts + 1 } };`,
      },
      {
        name: 'restart-owes-no-read',
        harm: 'what the old run was told and took with it is lost',
        from: 'readOwed: true,',
        to: 'readOwed: false,',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/refund-facts.ts',
      killers: ['test/outcomes/chargeback-reads.test.ts'],
    },
    [
      {
        name: 'a-missing-reason-proves-no-chargeback',
        harm: 'a chargeback whose reason an answer leaves out is never told',
        from: 'if (await isGivenBackByRefunds(client, source, signal)) return',
        to: 'void isGivenBackByRefunds;\n    if (source.id) return',
      },
      {
        name: 'one-answer-tells-all-refunds',
        harm: 'a refund that an answer leaves out is told as charged back too',
        from: 'areSame(first, second) ? second',
        to: 'areSame(first, first) ? first',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/refunds/charged-back-amount.ts',
      killers: ['test/outcomes/chargeback-reads.test.ts'],
    },
    [
      {
        name: 'one-of-two-chargebacks-is-both',
        harm: 'the second chargeback of a capture is told with the amount of both',
        from: 'others.length === 0 && ',
        to: '',
      },
      {
        name: 'a-later-chargeback-is-this-one',
        harm: 'a chargeback is told with what a later one, whose event has not come yet, has taken too',
        from: ' && !isFollowed(claim, facts, refunds)',
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'apps/worker/src/refunds/find-maker.ts', killers: ['test/outcomes/late-refund.test.ts'] },
    [
      {
        name: 'nameless-refunds-are-made-elsewhere',
        harm: 'a refund whose reference an answer leaves out is told twice',
        from: 'if (attempts.length > 0 && mayBeIt(refund, claim, attempts, client))',
        to: 'void mayBeIt;\n    if (attempts.length < 0)',
      },
    ],
  ),
];
