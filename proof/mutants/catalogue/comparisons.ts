import { type Mutant, mutantsOf } from './mutant.js';

/** What is done elsewhere, when nobody tells us anything. */
export const comparisonMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/subscription/difference.ts',
      killers: ['test/lifecycle/subscription/difference.test.ts'],
    },
    [
      {
        name: 'agreement-is-compared-with-nothing',
        harm: 'an agreement that is billed on after its end is seen by nobody',
        from: 'const theirs = statusShown(shown) ?? shown;',
        to: 'const theirs = status;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/plan/difference.ts',
      killers: ['test/lifecycle/plan/difference.test.ts'],
    },
    [
      {
        name: 'terms-of-a-plan-are-not-compared',
        harm: 'payers are billed another price than the shop has shown them',
        from: 'return [...inStatus, ...inTerms(state, shown)];',
        to: 'return inStatus;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payout/difference.ts',
      killers: ['test/lifecycle/payout/difference.test.ts'],
    },
    [
      {
        name: 'gone-back-item-is-a-lagging-read',
        harm: 'money that a receiver has given back is missed by the books, and nobody is told',
        from: `readingOf(ours.status, theirs.status) === 'older'`,
        to: `readingOf(ours.status, theirs.status) !== 'same'`,
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/database/src/reconciliation/compared-subjects.ts',
      killers: ['test/database/reconciliation.test.ts'],
    },
    [
      {
        name: 'comparison-waits-behind-what-it-does-not-compare',
        harm: 'after a crowd of refunds, nothing that has changed is ever compared again',
        from: '    until = entry.id;',
        to: '    if (entry.isOwn) until = entry.id;',
      },
    ],
  ),
];
