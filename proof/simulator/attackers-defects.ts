import type { KnownDefect } from './known-defect.js';

const findings = 'docs/history/findings.md';

/** What attackers, readers and the simulator found on 2026-11-27. */
export const attackersDefects: readonly KnownDefect[] = [
  {
    name: 'an outage ends a subscription that waits for its payer',
    source: findings,
    breaks: ['ended by an outage'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/subscription/open-step.ts',
        find: '? giveUpExecution(state, reason, now)',
        replace: "? end(state, 'declined', now, reason)",
      },
    ],
  },
  {
    name: 'an outage ends a payment that its payer has approved',
    source: findings,
    breaks: ['ended by an outage'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/payment/open-step.ts',
        find: 'return now < order.approvalBy + longestOutageMs;',
        replace: 'return false;',
      },
    ],
  },
  {
    name: 'the last list of payments is believed alone',
    source: 'found by this simulator, world 3214851253',
    breaks: ['told against the books'],
    patches: [
      {
        file: 'apps/worker/src/subscriptions/observe-agreement.ts',
        find: 'isLastRead(state) ? allOf(await list(), await readAgain(list)) : await list()',
        replace: 'await list()',
      },
    ],
  },
];
