import { type Mutant, mutantsOf } from './mutant.js';

/** Where a payment may go, and when. */
export const lifecycleMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/execution.ts',
      killers: ['test/lifecycle/payment/put-off-step.test.ts'],
    },
    [
      {
        name: 'payer-cancels-an-execution',
        harm: 'a hold that is being made is shown as cancelled',
        from: `isUnsent(state)
      ? end(state, 'cancelled', now, cancelledByPayer)`,
        to: `state.openStep
      ? end(state, 'cancelled', now, cancelledByPayer)`,
      },
      {
        name: 'cancellation-is-forgotten',
        harm: 'an execution is tried again although the payer has cancelled',
        from: 'stepProvedUndone: unlessCancelled(steps.whileOpen.stepProvedUndone)',
        to: 'stepProvedUndone: steps.whileOpen.stepProvedUndone',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/execution.ts',
      killers: ['test/lifecycle/payment/cancelled-in-review.test.ts'],
    },
    [
      {
        name: 'cancellation-in-review-is-forgotten',
        harm: 'an execution under review is tried again although the payer has cancelled',
        from: 'isExecution(state) &&',
        to: "state.status !== 'needs_review' &&",
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/transition.ts',
      killers: ['test/lifecycle/payment/state-event-table.test.ts'],
    },
    [
      {
        name: 'ends-regress',
        harm: 'a captured payment becomes authorized again by a late read',
        from: '  captured: terminalRow,',
        to: '  captured: holdRow,',
      },
      {
        name: 'void-during-a-capture',
        harm: 'capture and void run at the same moment',
        from: 'if (isPolicyPutOff(state)) return putOffRow;',
        to: `if (state.status === 'capturing' && state.openStep) return putOffRow;`,
      },
      {
        name: 'expiry-needs-no-read',
        harm: 'a payer who approved in the last second is told that it was too late',
        from: 'approvalTimedOut: (state, _event, now) => observe({ ...state, lapsed: true }, now),',
        to: `approvalTimedOut: (state, _event, now) => end(state, 'expired', now, ''),`,
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/deadlines.ts',
      killers: [
        'test/lifecycle/payment/deadlines.test.ts',
        'test/lifecycle/payment/policy-deadlines.test.ts',
        'test/lifecycle/payment/poll-deadlines.test.ts',
      ],
    },
    [
      {
        name: 'no-clock-while-a-policys-capture-is-put-off',
        harm: 'no warning comes for a hold whose capture the provider puts off, and its expiry policy does not void it',
        from: 'if (!isHeld && !isWaiting && !holdsBesidePending(state)) return [];',
        to: 'if (!isHeld && !holdsBesidePending(state)) return [];',
      },
      {
        name: 'settlement-never-comes-due',
        harm: 'a hold is forgotten until it lapses',
        from: `return order.expiryPolicy.action !== 'expire' && !settlementTried;`,
        to: 'return false as boolean;',
      },
      {
        name: 'ordered-capture-twice',
        harm: 'a refused capture is asked for again at once, for ever',
        from: `order.capturePolicy.mode === 'at' && !orderedCaptureTried ?`,
        to: `order.capturePolicy.mode === 'at' ?`,
      },
      {
        name: 'silence-is-not-polled',
        harm: 'a payment whose webhooks are lost waits for ever',
        from: 'return waitsForProvider || lapsed || readOwed;',
        to: 'return lapsed || readOwed;',
      },
      {
        name: 'owed-read-is-forgotten',
        harm: 'the hint of a webhook is lost when the provider is away for a moment',
        from: 'return waitsForProvider || lapsed || readOwed;',
        to: 'return waitsForProvider || lapsed;',
      },
      {
        name: 'honour-period-is-29-days',
        harm: 'nobody is warned that the funds are no longer guaranteed',
        from: 'honourUntil: Math.min(dayOf(heldAt, 3), validUntil),',
        to: 'honourUntil: Math.min(dayOf(heldAt, 29), validUntil),',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/payment/reauthorization.ts',
      killers: [
        'test/lifecycle/payment/reauthorization.test.ts',
        'test/lifecycle/payment/honour-policy.test.ts',
        'test/lifecycle/payment/reauthorized-elsewhere.test.ts',
      ],
    },
    [
      {
        name: 'holds-are-reauthorized-too-soon',
        harm: 'the provider is asked for what it refuses, and the policy ends by it',
        from: 'if (now < honourUntil) {',
        to: 'if (false as boolean) {',
      },
      {
        name: 'more-is-reauthorized-than-allowed',
        harm: 'the payer’s funds are locked beyond what was approved',
        from: 'if (minor <= 0 || minor > most) {',
        to: 'if (minor <= 0) {',
      },
      {
        name: 'lagging-reads-bring-back-an-earlier-hold',
        harm: 'captures go to a hold that is no more',
        from: 'return reauthorizations?.earlier.some((hold) => hold.authorizationId === authorizationId) ?? false;',
        to: 'return false;',
      },
      {
        name: 'reauthorizations-under-one-id-are-not-followed',
        harm: 'a hold of the amount that it has now is taken for a contradiction',
        from: 'if (!isLater || !isOfAnotherAmount(known, shown)) return state;',
        to: 'if (!isLater || known) return state;',
      },
      {
        name: 'lagging-reads-undo-a-reauthorization-under-one-id',
        harm: 'more is captured than is held by now',
        from: 'return (shown.changedAt ?? 0) <= heldSince(known);',
        to: 'return false;',
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
        name: 'news-during-a-step-is-used-up',
        harm: 'what somebody else has captured meanwhile is captured once more',
        from: 'const remembering = rememberNews(state, event, now);',
        to: 'const remembering = state;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/look-up-money-step.ts',
      killers: ['test/unit/reauthorization-shown.test.ts'],
    },
    [
      {
        name: 'captures-elsewhere-pass-for-a-reauthorization',
        harm: 'funds are called guaranteed that are not',
        from: 'isComparable ? seen : undefined',
        to: 'seen',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/run/recorded-intake.ts',
      killers: ['test/workflows/timed-out-task.test.ts'],
    },
    [
      {
        name: 'runs-decide-by-what-a-replay-sees',
        harm: 'a run whose task timed out within a step stands still, because no worker can replay it',
        from: 'const view = await this.view(isDue, deadline);',
        to: 'const view = { ...(await this.view(isDue, deadline)), messages: this.inbox.received };',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'libs/workflows/src/run/message-inbox.ts', killers: ['test/lifecycle/message-inbox.test.ts'] },
    [
      {
        name: 'seen-ids-stay-behind',
        harm: 'a capture that is signalled again after continue-as-new is made again',
        from: 'return { seen: [...this.seenIds], waiting:',
        to: 'return { seen: [], waiting:',
      },
      {
        name: 'waiting-messages-stay-behind',
        harm: 'a command that came just before continue-as-new is lost',
        from: 'waiting: this.waiting.map(({ message }) => message) }',
        to: 'waiting: [] }',
      },
      {
        name: 'messages-are-not-told-apart',
        harm: 'a redelivered event is an event once more',
        from: 'if (this.seenIds.has(id)) return false;',
        to: '',
      },
      {
        name: 'newest-ids-are-forgotten',
        harm: 'after 2,000 messages no redelivery is recognised',
        from: 'const [oldest] = this.seenIds;',
        to: 'const oldest = [...this.seenIds].at(-1);',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/progress.ts',
      killers: ['test/lifecycle/payment/timeline.test.ts'],
    },
    [
      {
        name: 'looks-grow-the-version-of-nothing',
        harm: 'the rows of a look are taken for older ones and not written',
        from: 'const next = { state: result.state, version: version + 1 };',
        to: 'const next = { state: result.state, version: lifecycle.quiet.has(event.type) ? version : version + 1 };',
      },
      {
        name: 'refused-commands-have-no-line',
        harm: 'the caller of a refused command never gets its answer',
        from: `...(event.commandId !== undefined && { commandId: event.commandId }),`,
        to: '',
      },
    ],
  ),
];
