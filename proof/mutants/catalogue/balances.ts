import { type Mutant, mutantsOf } from './mutant.js';

const subscription = 'libs/workflows/src/lifecycle/subscription';

/** What a subscription owes, and how it is billed. */
export const balanceMutants: readonly Mutant[] = [
  ...mutantsOf(
    { file: `${subscription}/balance-shown.ts`, killers: ['test/lifecycle/subscription/balance.test.ts'] },
    [
      {
        name: 'sale-of-a-cycle-is-the-billing',
        harm: 'a caller is told that a balance was collected, and only a cycle was',
        from: 'if (later.length > cycles) {',
        to: 'if (later.length > 0) {',
      },
      {
        name: 'billing-in-a-list-cut-short-is-undone',
        harm: 'a balance is collected twice, because the list of payments lacked the latest one',
        from: 'if (made.length > 0 || isCut)',
        to: 'if (made.length > 0)',
      },
      {
        name: 'billing-beside-a-cycle-is-undone',
        harm: 'a balance is collected twice, because its sale was taken for that of a cycle',
        from: 'if (made.length > 0 || isCut)',
        to: 'if (isCut)',
      },
    ],
  ),
  ...mutantsOf(
    { file: `${subscription}/balance.ts`, killers: ['test/lifecycle/subscription/balance.test.ts'] },
    [
      {
        name: 'balance-is-billed-before-reads-show-the-last',
        harm: 'the sale of an earlier billing is taken for that of one that was never carried out',
        from: 'if (!openStep || balanceSettlesAt <= now) return begun;',
        to: 'if (!openStep || now > 0) return begun;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/agreement-balance.ts',
      killers: ['test/unit/billed-balance.test.ts'],
    },
    [
      {
        name: 'nothing-is-outstanding-in-half-an-answer',
        harm: 'a balance that was not collected is believed to be, by an answer without details',
        from: 'if (outstandingBalance === undefined || cyclesCompleted === undefined)',
        to: 'if (false as boolean)',
      },
    ],
  ),
];
