import type { SourcePatch } from './build.js';
import { type KnownDefect, sources, unpersistedCauses } from './known-defect.js';

const lookUp = 'apps/worker/src/payments/look-up-money-step.ts';
const readAgain = 'apps/worker/src/provider/read-again.ts';

/** That a newer task writes whatever its version is: the correction of a row that stayed where a lost task had left it. */
const newerTasks: SourcePatch = {
  file: sources.rows,
  find: 'if (isOfNewerTask(known, transition)) return true;',
  replace: '',
};

/** Those that campaigns, attackers and this simulator have found since. */
export const campaignDefects: readonly KnownDefect[] = [
  {
    name: 'a capture that was told as denied is shown as pending again',
    source: 'docs/history/findings.md, campaign s6',
    breaks: ['final undone'],
    patches: [
      {
        file: sources.rows,
        find: 'if (!keepsFinalParts(known, transition)) return this.markWaiting(known);',
        replace: '',
      },
    ],
  },
  {
    name: 'an attempt is known by its place in a row',
    source: 'reliability.md: stood in capturing for ever',
    breaks: ['stuck', 'run and rows differ', 'told against the books'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/payment/open-step.ts',
        find: 'return step.commandId;',
        replace: 'return `execute-${number}`;',
      },
    ],
    hiddenBy: [unpersistedCauses],
  },
  {
    name: 'a lookup records the outcome of the latest attempt',
    source: 'reliability.md: stood in capturing for ever',
    breaks: ['proved too early', 'money moved twice', 'made twice'],
    patches: [
      {
        file: 'apps/worker/src/steps/attempts/step-record.ts',
        find: 'attempts.find(({ attempt_number }) => attempt_number === this.openStep.attempts)',
        replace: 'attempts.at(-1)',
      },
    ],
    hiddenBy: [unpersistedCauses],
  },
  {
    name: 'money moves before its cause is in the history',
    source: 'reliability.md: a void that was carried out and answered with 409',
    breaks: ['told against the books', 'final undone', 'run and rows differ', 'stuck'],
    patches: [unpersistedCauses],
  },
  {
    name: 'a request is refused without a look, though the rows let it through',
    source: 'reliability.md: a capture refused of a payment that was shown as authorized',
    breaks: ['refused without reason'],
    patches: [
      {
        file: 'libs/workflows/src/payment.workflow.ts',
        find: "return look && (recordsTime || patched('look before refusal')) ? look : undefined;",
        replace: 'return look && undefined;',
      },
    ],
  },
  {
    name: 'rows wait for a version',
    source: 'reliability.md: rows that waited for a version',
    breaks: ['stuck', 'run and rows differ', 'told against the books'],
    patches: [
      {
        file: sources.rows,
        find: "if (basis !== 'reading' || isNewerReading(",
        replace: 'if (isNewerReading(',
      },
      {
        file: sources.rows,
        find: '(hasEnded(transition) && !records.ends.includes(known.status))',
        replace: 'false',
      },
    ],
    hiddenBy: [newerTasks],
  },
  {
    name: 'absence is believed of an answer that is cut short',
    source: 'reliability.md: a capture made twice',
    breaks: ['money moved twice', 'made twice', 'told against the books'],
    patches: [
      { file: lookUp, find: 'if (!showsWhatIsKnown(state, facts)) throw', replace: 'if (!facts) throw' },
      { file: readAgain, find: 'if (!needsTwoReads(first))', replace: 'if (first)' },
    ],
  },
  {
    name: 'an end of a hold is believed of one answer',
    source: 'reliability.md: sixteen more sequences',
    breaks: ['told against the books', 'hold forgotten'],
    patches: [
      {
        file: 'apps/worker/src/payments/observe-payment.ts',
        find: '(isChanging ||= isChange(resultOf(shown)))',
        replace: '(isChanging &&= isChange(resultOf(shown)))',
      },
    ],
  },
  {
    name: 'absence is proof before the horizon',
    source: 'decision 0009',
    breaks: ['proved too early', 'money moved twice', 'made twice'],
    patches: [
      {
        file: sources.lookUpStep,
        find: 'const isPastHorizon = lookedAt >= openStep.horizonAt;',
        replace: 'const isPastHorizon = lookedAt > 0;',
      },
    ],
  },
  {
    name: 'a recorded outcome is recorded again',
    source: 'decision 0005',
    breaks: ['proof undone'],
    patches: [
      {
        file: sources.rows,
        find: "if (!attempt || (attempt.outcome !== null && attempt.outcome !== 'unknown')) return false;",
        replace: 'if (!attempt) return false;',
      },
    ],
  },
  {
    name: 'an attempt that was begun is sent again',
    source: 'decision 0005',
    breaks: ['money moved twice', 'made twice'],
    patches: [
      {
        file: sources.attemptStep,
        find: "if (begin.kind === 'repeated') return await record.resume();",
        replace: `if (begin.kind === 'repeated') {
      await send(identity).catch(() => undefined);
      return await record.resume();
    }`,
      },
    ],
  },
  {
    name: 'a subscription ends before its book is whole',
    source: 'reliability.md: campaigns s1, s2, a2',
    breaks: ['told against the books'],
    patches: [
      {
        file: 'libs/workflows/src/subscription.workflow.ts',
        find: "owesAfterEnd: (state) => isBookOwed(state) && (recordsTime || patched('read on after the end')),",
        replace: 'owesAfterEnd: () => false,',
      },
    ],
  },
  {
    name: 'a subscription lapses by the clock, though it was executed',
    source: 'docs/history/findings.md: found by this simulator',
    breaks: ['told against the books', 'final undone', 'run and rows differ'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/subscription/open-step.ts',
        find: 'return order.provesLapse !== true && isTooLate(order, now);',
        replace: 'return isTooLate(order, now);',
      },
    ],
  },
  {
    name: 'a chargeback that could not be read yet counts as nothing',
    source: 'docs/failure-cases.md, case 35',
    breaks: ['granted in doubt'],
    patches: [
      {
        file: 'libs/workflows/src/lifecycle/refund/returned-amounts.ts',
        find: "(status === 'completed' || !isRefundTerminal(status))",
        replace: "status === 'completed' && isRefundTerminal(status)",
      },
    ],
  },
  {
    name: 'a decision is acted on before it is in the history',
    source: 'decision 0009: what may be decided',
    breaks: ['told without effect'],
    patches: [
      {
        file: sources.run,
        find: 'if (taken && this.parts.isUpdate?.(taken.event)) await this.persistUpdate();',
        replace: '',
      },
    ],
  },
  {
    name: 'a refused decision that is verified again is told as one of nobody',
    source: 'found by this simulator',
    breaks: ['run complains'],
    patches: [
      {
        file: 'apps/worker/src/steps/activities/accepted-request.ts',
        find: 'const accepted = writer.lifecycle.transition(',
        replace:
          "if (command.status === 'refused') return 'notAccepted';\n  const accepted = writer.lifecycle.transition(",
      },
    ],
  },
];
