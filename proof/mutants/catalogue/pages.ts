import { type Mutant, mutantsOf } from './mutant.js';

/** What a page that leaves something out, and the read before a reauthorization, may be taken for. */
export const pageMutants: readonly Mutant[] = [
  ...mutantsOf(
    { file: 'libs/payments-client/src/schemas/received.ts', killers: ['test/client/requests.test.ts'] },
    [
      {
        name: 'missing-lists-are-empty',
        harm: 'what a page does not list is taken for absent',
        from: 'return list ? list.length >= (counted ?? 0) : counted === 0;',
        to: 'return list ? list.length >= (counted ?? 0) : true;',
      },
      {
        name: 'counts-are-not-compared',
        harm: 'what a page counts and does not list is taken for absent',
        from: 'return list ? list.length >= (counted ?? 0) : counted === 0;',
        to: 'return list ? true : counted === 0;',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'apps/worker/src/provider/find-payment.ts', killers: ['test/outcomes/full-pages.test.ts'] },
    [
      {
        name: 'full-pages-of-payments-are-the-last',
        harm: 'a payment on a page that the one before does not name is created again',
        from: 'payments.length >= pageSize',
        to: 'payments.length > pageSize',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/provider/cut-page.ts',
      killers: ['test/outcomes/full-pages.test.ts', 'test/unit/cut-short-event-search.test.ts'],
    },
    [
      {
        name: 'full-pages-of-events-are-the-last',
        harm: 'a subscription lapses here and is billed there',
        from: 'events.length + unreadable >= pageSize',
        to: 'events.length + unreadable > pageSize',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'apps/worker/src/provider/find-plan.ts', killers: ['test/outcomes/full-pages.test.ts'] },
    [
      {
        name: 'cut-lists-of-plans-prove-absence',
        harm: 'a plan that a list leaves out is created again',
        from: `if (!listed.isWhole) absence = 'unreadable';`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/reauthorize-authorization.ts',
      killers: ['test/outcomes/reauthorizations-of-unread-holds.test.ts'],
    },
    [
      {
        name: 'holds-that-do-not-tell-their-last-change-are-reauthorized',
        harm: 'nobody can tell afterwards whether a hold was reauthorized',
        from: `if (seen === undefined || seen === 'unreadable') throw new NotSentError('the hold could not be read');`,
        to: 'void NotSentError;',
      },
      {
        name: 'reauthorizations-do-not-count-captures-made-elsewhere',
        harm: 'more than was ordered is held, and captured in all',
        from: `if (seen === 'outdated') return outdated;`,
        to: 'void outdated;',
      },
    ],
  ),
];
