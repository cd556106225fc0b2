import { type Mutant, mutantsOf } from '../mutant.js';

/** What was captured of a hold, and of the holds before it. */
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
        from: 'const captures = [...state.captures.filter(({ captureId }) => captureId !== capture.captureId), capture];',
        to: 'const captures = [...state.captures, capture];',
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
      killers: ['test/lifecycle/payment/reauthorization.test.ts'],
    },
    [
      {
        name: 'renewed-holds-are-not-captured-by-the-honour-policy',
        harm: 'the guarantee of a renewed hold ends uncaptured, although the order wants it captured in time',
        from: 'honourCaptureTried: false,',
        to: 'honourCaptureTried: state.honourCaptureTried === true,',
      },
      {
        name: 'longer-windows-are-not-settled',
        harm: 'a hold whose window a renewal has made longer is forgotten until it lapses',
        from: 'settlementTried: state.settlementTried && validUntil === known.validUntil,',
        to: 'settlementTried: state.settlementTried,',
      },
    ],
  ),
];
