import { type Mutant, mutantsOf } from './mutant.js';

const payout = 'libs/workflows/src/lifecycle/payout';

/** Money that is paid out. */
export const payoutMutants: readonly Mutant[] = [
  ...mutantsOf({ file: `${payout}/creation.ts`, killers: ['test/lifecycle/payout/properties.test.ts'] }, [
    {
      name: 'batch-is-asked-for-beyond-deduplication',
      harm: 'a repeat that the provider no longer tells apart pays every receiver a second time',
      from: 'if (now >= askAgainUntil(state)) return giveToReview(state, openStep, now);',
      to: '',
    },
  ]),
  ...mutantsOf({ file: `${payout}/item.ts`, killers: ['test/lifecycle/payout/items.test.ts'] }, [
    {
      name: 'paid-item-stays-paid',
      harm: 'money that a receiver has given back is told as paid',
      from: `success: ['refunded', 'reversed'],`,
      to: 'success: [],',
    },
  ]),
  ...mutantsOf(
    { file: `${payout}/cancellation.ts`, killers: ['test/lifecycle/payout/state-event-table.test.ts'] },
    [
      {
        name: 'cancellation-overtakes-an-open-step',
        harm: 'a lost answer is taken for that of another item, which is then paid on unseen',
        from: 'if (state.openStep) {',
        to: 'if (false as boolean) {',
      },
    ],
  ),
  ...mutantsOf({ file: `${payout}/notification.ts`, killers: ['test/unit/payout-route.test.ts'] }, [
    {
      name: 'end-swallows-what-comes-back',
      harm: 'money that a receiver gives back after the end is told as paid, and its event as applied',
      from: 'if (isOfEndedItem(state, resource)) return false;',
      to: '',
    },
  ]),
  ...mutantsOf({ file: `${payout}/rules.ts`, killers: ['test/lifecycle/payout/properties.test.ts'] }, [
    {
      name: 'lagging-read-is-the-last',
      harm: 'a read that lags behind the event shows the item as paid, and nothing reads it again',
      from: 'return { ...state, confirmAt: now + 2 * outcomeHorizonMs };',
      to: 'return state;',
    },
  ]),
  ...mutantsOf({ file: 'libs/webhook-inbox/src/new-event.ts', killers: ['test/unit/payout-route.test.ts'] }, [
    {
      name: 'nameless-status-is-none',
      harm: 'money that a receiver gives back after the end is told as paid where its event leaves the status out',
      from: 'state: wordOf(status) || itemWordIn(eventType)',
      to: 'state: wordOf(status)',
    },
  ]),
  ...mutantsOf(
    { file: 'apps/worker/src/payouts/observe-payout.ts', killers: ['test/outcomes/denied-batches.test.ts'] },
    [
      {
        name: 'any-word-ends-a-batch',
        harm: 'a denied batch is told as completed for good because one answer called it by another word',
        from: 'return isAtItsEnd && !isProcessed(facts) ? facts : { ...facts, totals };',
        to: 'return { ...facts, totals };',
      },
    ],
  ),
];
