import type { SourcePatch } from './build.js';
import { type KnownDefect, sources, unpersistedCauses } from './known-defect.js';

const findings = 'docs/history/findings.md';
const balanceShown = 'libs/workflows/src/lifecycle/subscription/balance-shown.ts';
const timelines = 'proof/simulator/rows/timeline-rows.ts';
const activities = 'apps/worker/src/steps/activities';

/** A message does not refuse what is being carried out. */
const refusedUnderWay: SourcePatch = {
  file: `${activities}/command-outcomes.ts`,
  find: "status !== 'refused' || commandId !== underWay",
  replace: "status !== 'refused' || commandId !== ''",
};

/** Those of docs/history/findings.md and simulation.md that had no patch, and what this simulator has found since. */
export const foundDefects: readonly KnownDefect[] = [
  {
    name: 'a read that lags undoes an authorization that was shown',
    source: 'docs/history/simulation.md, world 979481029',
    breaks: ['hold forgotten', 'final undone', 'refused without reason', 'told against the books'],
    patches: [
      {
        file: 'apps/worker/src/payments/observe-payment.ts',
        find: 'showsNoApproval(input, read) ? await approvedOnRecord(context, input, read) : read;',
        replace: 'read;',
      },
    ],
    hiddenBy: [unpersistedCauses],
  },
  {
    name: 'a part that was captured by hand is left out of the end of a hold',
    source: findings,
    breaks: ['told against the books', 'final undone'],
    patches: [
      {
        file: 'apps/worker/src/payments/read-ended-hold.ts',
        find: 'return facts.captures;',
        replace: 'return facts.captures.slice(0, 0);',
      },
    ],
  },
  {
    name: 'what was captured of an ended hold is believed of one answer',
    source: 'found by this simulator, world 1833606499',
    breaks: ['told against the books'],
    patches: [
      {
        file: 'apps/worker/src/payments/read-ended-hold.ts',
        find: 'return await confirmedRead(read);',
        replace: 'return await read();',
      },
      { file: sources.lookUpStep, find: 'isRefusal(seen) || endsHold(seen)', replace: 'isRefusal(seen)' },
    ],
  },
  {
    name: 'a void in doubt is told as all of it',
    source: 'docs/history/simulation.md, world 3323058176',
    breaks: ['told against the books', 'final undone'],
    patches: [
      {
        file: 'apps/worker/src/payments/look-up-money-step.ts',
        find: "{ type: 'voidConfirmed', shown: facts.captures }",
        replace: "{ type: 'voidConfirmed' }",
      },
    ],
  },
  {
    name: 'a raw signal is carried out without an accepted request',
    source: 'issue 12, B.1',
    breaks: ['without permission'],
    patches: [
      {
        file: `${activities}/accepted-request.ts`,
        find: "return check === 'accepted' ? undefined",
        replace: "return check !== 'refusedBefore' ? undefined",
      },
    ],
  },
  {
    name: 'a subscription that has told a cycle shows one less',
    source: 'docs/decisions/0018-ends-stand.md',
    breaks: ['final undone'],
    patches: [
      {
        file: 'proof/simulator/rows/rows.ts',
        find: 'state: records.newerParts?.beside(state, known.state as State) ?? state,',
        replace: 'state,',
      },
    ],
  },
  {
    name: 'a raw cancellation that an execution remembers ends the subscription',
    source: 'docs/decisions/0021-access.md',
    breaks: ['without permission'],
    patches: [
      {
        file: 'apps/worker/src/subscriptions/subscription-writer.ts',
        find: "hasPayerCancelled(db, 'subscriptions', identity.subscriptionId)",
        replace: 'Promise.resolve(true)',
      },
    ],
  },
  {
    name: 'a raw signal refuses the order that it names',
    source: 'found by this simulator, world 724875268',
    breaks: ['told against the books'],
    patches: [
      {
        file: `${activities}/command-outcomes.ts`,
        find: ' || isOwn(entry.commandId)) return [];',
        replace: ') return [];',
      },
    ],
    // The order's command is that of the open step.
    hiddenBy: [refusedUnderWay],
  },
  {
    name: 'a raw signal refuses a request that is being carried out',
    source: 'found by this simulator, world 697223073',
    breaks: ['told against the books'],
    patches: [refusedUnderWay],
  },
  {
    name: 'lines of a lost task stay in the timeline',
    source: 'docs/decisions/0018-ends-stand.md',
    breaks: ['lost line shown'],
    patches: [
      { file: timelines, find: 'if (at > knownVersion && !own.includes(at))', replace: 'if (at < 0)' },
    ],
  },
  {
    name: 'lines of a lost task stay in the timeline beside what leaves no line',
    source: 'found by this simulator, world 1871617949',
    breaks: ['lost line shown'],
    patches: [{ file: timelines, find: 'at > knownVersion', replace: 'at > version' }],
  },
  {
    name: 'a line of a run stays as a lost task has written over it',
    source: 'found by this simulator, worlds 1444271733, 3228216582 and 4064286268',
    breaks: ['lost line shown'],
    patches: [
      {
        file: 'proof/simulator/rows/rows.ts',
        find: 'if (isOfNewerTask(known, transition)) this.timelines.restore(transition);',
        replace: '',
      },
    ],
  },
  {
    name: 'a subscription that is taken back before its first cycle shows none',
    source: 'found by this simulator, world 632484219',
    breaks: ['final undone'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/subscription/observation.ts',
        find: 'shown && (!state.billing || isOlder(inRow, { billing: state.billing }))',
        replace: 'state.billing && shown && isOlder(inRow, { billing: state.billing })',
      },
    ],
  },
  {
    name: 'a cancellation that an end has overtaken is told as succeeded',
    source: 'found by this simulator, world 567225866',
    breaks: ['told against the books'],
    patches: [
      {
        file: 'proof/simulator/rows/command-rows.ts',
        find: ' || (isUncalled === true && end !== state.status)',
        replace: '',
      },
    ],
  },
  {
    name: 'the sale of a cycle is taken for that of a billed balance',
    source: 'docs/decisions/0016-subscriptions.md',
    breaks: ['told against the books'],
    patches: [{ file: balanceShown, find: 'if (later.length > cycles)', replace: 'if (later.length > 0)' }],
  },
  {
    name: 'an attempt that was not sent waits for a person, because its worker died',
    source: 'found by this simulator, world 932453125',
    breaks: ['stuck'],
    patches: [
      {
        file: 'apps/worker/src/steps/attempts/first-sent-step.ts',
        find: " && !('isUnsent' in step)",
        replace: '',
      },
    ],
  },
  {
    name: 'a balance that was reached before is told as set',
    source: 'found by this simulator, world 3646669900',
    breaks: ['told against the books'],
    patches: [
      {
        file: 'apps/worker/src/subscriptions/set-balance.ts',
        find: 'attempts.filter(mayBeSent(minor))',
        replace: 'attempts',
      },
    ],
  },
  {
    name: 'a read before an attempt outlives it in the row, and its next attempt is not looked for',
    source: findings,
    breaks: ['money moved twice', 'told against the books'],
    patches: [
      {
        file: sources.attemptStep,
        find: 'const record = new StepRecord(work, input);',
        replace:
          'const { openStep } = input.state; const record = new StepRecord(work, { ...input, state: { ...input.state, openStep: { ...openStep, step: { ...openStep.step, ...seen } } } });',
      },
    ],
  },
];
