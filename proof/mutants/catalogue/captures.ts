import { type Mutant, mutantsOf } from './mutant.js';

/** What was captured of a hold, and of the holds before it; what has gone back of it. */
export const captureMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/captures.test.ts'],
    },
    [
      {
        name: 'denied-final-captures-close-the-hold',
        harm: 'a payment is told as captured, its rest as released, while that rest is still held',
        from: `state.captures.some(({ status, final }) => status === 'completed' && final);`,
        to: 'state.captures.some(({ final }) => final);',
      },
      {
        name: 'captures-shown-before-their-answer-count-twice',
        harm: 'a capture that was pending in a read, and then answered, is taken for two captures',
        from: 'const own = [...state.captures.filter(({ captureId }) => captureId !== capture.captureId), capture];',
        to: 'const own = [...state.captures, capture];',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/amounts.ts',
      killers: ['test/lifecycle/payment/amounts.test.ts'],
    },
    [
      {
        name: 'denied-captures-of-earlier-holds-count-as-held',
        harm: 'more is captured than the present hold holds',
        from: `return isOfEarlier && status !== 'denied' ? sum + minor : sum;`,
        to: 'return isOfEarlier && status ? sum + minor : sum;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/reauthorization.ts',
      killers: [
        'test/lifecycle/payment/policies-after-reauthorization.test.ts',
        'test/lifecycle/payment/reauthorized-hold.test.ts',
      ],
    },
    [
      {
        name: 'reauthorized-holds-are-not-captured-by-the-honour-policy',
        harm: 'the guarantee of a reauthorized hold ends uncaptured, although the order wants it captured in time',
        from: 'honourCaptureTried: false,',
        to: 'honourCaptureTried: state.honourCaptureTried === true,',
      },
      {
        name: 'former-holds-are-known-only-alone',
        harm: 'after a second reauthorization a read that lags behind brings an earlier hold back',
        from: 'return reauthorizations?.earlier.some((hold)',
        to: 'return reauthorizations?.earlier.every((hold)',
      },
      {
        name: 'longer-windows-are-not-settled',
        harm: 'a hold whose window a reauthorization has made longer is forgotten until it lapses',
        from: 'settlementTried: state.settlementTried && validUntil === known.validUntil,',
        to: 'settlementTried: state.settlementTried,',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/refund/returned-amounts.ts',
      killers: ['test/lifecycle/refund/refund.test.ts'],
    },
    [
      {
        name: 'chargebacks-count-as-refunds',
        harm: 'what a bank has taken back is told twice, and less can be refunded than is left',
        from: `    .filter(({ claim }) => claim.kind !== 'reversal')
`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/refund/read-back.ts',
      killers: ['test/lifecycle/refund/read-back.test.ts'],
    },
    [
      {
        name: 'own-refunds-are-called-unfounded',
        harm: 'money that went back by our own request is told as not gone, and can be refunded again',
        from: `if (facts.madeBy !== undefined && state.claim.kind !== 'request') {`,
        to: 'if (facts.madeBy !== undefined) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/step/step-rules.ts',
      killers: ['test/lifecycle/step-looks.test.ts'],
    },
    [
      {
        name: 'looks-after-the-horizon-do-not-wait',
        harm: 'a step that cannot be proved is looked up without a pause, for ever',
        from: 'return now < horizonAt ? Math.min(next, horizonAt) : next;',
        to: 'return Math.min(next, horizonAt);',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/beside-pending.test.ts'],
    },
    [
      {
        name: 'rests-beside-pending-captures-are-final',
        harm: 'a pending capture that is denied after the rest was captured cannot be made again',
        from: '(minor === capturable && pending === 0)',
        to: '(minor === capturable)',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/deadlines.ts',
      killers: ['test/lifecycle/payment/beside-pending.test.ts'],
    },
    [
      {
        name: 'rests-beside-pending-captures-have-no-clock',
        harm: 'no warning and no policy comes for what a capture of days leaves of its hold',
        from: 'if (!isHeld && !isWaiting && !holdsBesidePending(state)) return [];',
        to: 'if (!isHeld && !isWaiting) return [];',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/beside-pending.ts',
      killers: ['test/lifecycle/payment/beside-pending.test.ts'],
    },
    [
      {
        name: 'released-rests-are-still-held',
        harm: 'what was released beside a pending capture is shown as capturable',
        from: 'return state.order.holdsRest ? { ...state, holdEnd } : state;',
        to: 'return state;',
      },
    ],
  ),
];
