import { type Mutant, mutantsOf } from './mutant.js';

/** Amounts, and how much of a hold may still move. */
export const moneyMutants: readonly Mutant[] = [
  ...mutantsOf({ file: 'libs/workflows/src/lifecycle/money.ts', killers: ['test/lifecycle/money.test.ts'] }, [
    {
      name: 'amounts-are-floats',
      harm: '4.35 becomes 434 cents',
      from: `Number((match[1] ?? '') + fraction.padEnd(exponent, '0'))`,
      to: 'Math.trunc(Number(text) * 10 ** exponent)',
    },
    {
      name: 'yen-have-decimals',
      harm: 'a hundred times the price is captured',
      from: 'JPY: 0,',
      to: 'JPY: 2,',
    },
    {
      name: 'dinars-have-two-decimals',
      harm: 'a tenth of the price is captured',
      from: 'KWD: 3,',
      to: 'KWD: 2,',
    },
    {
      name: 'decimals-are-cut-off',
      harm: 'an amount that the currency does not have is taken for another one',
      from: 'if (fraction.length > exponent) {',
      to: 'if (false as boolean) {',
    },
    {
      name: 'amounts-without-limit',
      harm: 'amounts beyond 2^53 are rounded',
      from: 'if (!Number.isSafeInteger(minor))',
      to: 'if (!Number.isFinite(minor))',
    },
  ]),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/captures.test.ts'],
    },
    [
      {
        name: 'captures-beyond-the-hold',
        harm: 'more is captured than the payer approved',
        from: 'if (minor <= 0 || minor > capturable) {',
        to: 'if (minor <= 0) {',
      },
      {
        name: 'first-capture-is-final',
        harm: 'a capture of 40 of 100 releases the other 60',
        from: 'request.final ?? (minor === capturable && pending === 0)',
        to: 'request.final ?? true',
      },
      {
        name: 'pending-is-captured',
        harm: 'goods leave for money that may never come',
        from: `if (pending > 0) return enter(state, 'capturing', now);`,
        to: `if (pending > 0) return enter(state, 'captured', now);`,
      },
      {
        name: 'void-forgets-what-was-captured',
        harm: 'a payment of which 70 were captured is shown as voided',
        from: `const status = amountsOf(state).captured > 0 ? 'captured' : empty;`,
        to: 'const status = empty;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/amounts.ts',
      killers: ['test/lifecycle/payment/amounts.test.ts', 'test/lifecycle/payment/review.test.ts'],
    },
    [
      {
        name: 'pending-captures-are-not-counted',
        harm: 'what is on its way to us can be captured once more',
        from: 'Math.min(authorized, limitOf(state)) - captured - pending)',
        to: 'Math.min(authorized, limitOf(state)) - captured)',
      },
      {
        name: 'more-than-ordered-is-capturable',
        harm: 'a larger hold that an operator kept is captured to the last cent',
        from: 'Math.min(authorized, limitOf(state))',
        to: 'authorized',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/deadlines.test.ts'],
    },
    [
      {
        name: 'captures-after-the-window',
        harm: 'the provider is asked for what it no longer holds',
        from: 'if (state.authorization && now >= state.authorization.validUntil) {',
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/rules.ts',
      killers: ['test/lifecycle/payment/other-amount.test.ts'],
    },
    [
      {
        name: 'another-amount-is-accepted',
        harm: 'a hold of another amount than was ordered is captured',
        from: 'if (isOtherAmount(held)) {',
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/provider-facts.ts',
      killers: ['test/unit/provider-facts.test.ts', 'test/unit/capture-facts.test.ts'],
    },
    [
      {
        name: 'other-currency-is-read-as-ours',
        harm: 'a hundred yen are taken for a dollar',
        from: 'if (amount.currency !== currency) throw new UnreadableAnswerError();',
        to: '',
      },
      {
        name: 'unknown-capture-states-are-completed',
        harm: 'a capture that may still fail counts as money received',
        from: `    default:
      return 'pending';`,
        to: `    default:
      return 'completed';`,
      },
    ],
  ),
];
