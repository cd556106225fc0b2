import type { SourcePatch } from './build.js';
import { attackersDefects } from './attackers-defects.js';
import { campaignDefects } from './campaign-defects.js';
import { foundDefects } from './found-defects.js';
import { type KnownDefect, sources } from './known-defect.js';

const lateWriters: SourcePatch = {
  file: sources.rows,
  find: 'if (isEndUnknown || isSuperseded) throw',
  replace: 'if (isEndUnknown) throw',
};

const endedCommands: SourcePatch = {
  file: sources.rows,
  find: "if (basis !== 'begin') return;",
  replace: 'if (commands.length >= 0) return;',
};

export const knownDefects: readonly KnownDefect[] = [
  {
    name: 'a run goes on from an end that was told',
    source: 'docs/failure-cases.md, cases 31 and 32',
    breaks: ['final undone', 'run and rows differ'],
    patches: [
      {
        file: sources.rows,
        find: 'if (isEndUnknown || isSuperseded) throw',
        replace: 'if (isSuperseded) throw',
      },
      {
        file: sources.rows,
        find: '(hasEnded(transition) && !records.ends.includes(known.status))',
        replace: 'hasEnded(transition)',
      },
    ],
  },
  {
    name: 'a worker whose task timed out goes on writing',
    source: 'docs/failure-cases.md, cases 31 and 32',
    breaks: ['final undone', 'run and rows differ', 'told against the books', 'stuck'],
    patches: [
      {
        file: sources.rows,
        find: 'if (isEndUnknown || isSuperseded) throw',
        replace: 'if (records.ends.length < 0) throw',
      },
    ],
  },
  {
    name: 'a task that was kept alive decides by another time in its replay',
    source: 'docs/history/findings.md',
    breaks: ['not deterministic'],
    patches: ['payment', 'payout', 'refund', 'subscription'].map((lifecycle) => ({
      file: `libs/workflows/src/${lifecycle}.workflow.ts`,
      find: 'input.recordsTime === true',
      replace: 'false',
    })),
  },
  {
    name: 'a task that is handed out again within a step is replayed otherwise',
    source: 'docs/history/findings.md',
    breaks: ['not deterministic'],
    patches: [
      {
        file: 'libs/workflows/src/run/recorded-intake.ts',
        find: 'const view = await this.view(isDue, deadline);',
        replace:
          'const view = { ...(await this.view(isDue, deadline)), messages: this.inbox.received, isDue };',
      },
    ],
  },
  {
    name: 'messages that came before a run took any are taken name by name',
    source: 'docs/simulation.md: found by this simulator',
    breaks: ['not deterministic'],
    patches: [
      {
        file: 'libs/workflows/src/run/handlers.ts',
        find: 'if (recordsTime === true) {',
        replace: 'if (handlers.length < 0) {',
      },
    ],
  },
  {
    name: 'a run believes what a newer task has kept it from writing',
    source: 'docs/simulation.md: found by this simulator',
    breaks: ['stuck', 'run and rows differ'],
    patches: [
      {
        file: 'proof/simulator/rows/transitions.ts',
        find: 'throw (await endOnRecord(db, transition)) ?? new LateTaskError();',
        replace: 'const end = await endOnRecord(db, transition);\n    if (end) throw end;',
      },
      {
        file: sources.stepRecord,
        find: 'throw new LateTaskError();',
        replace: 'return taken;',
      },
    ],
  },
  {
    name: 'a batch that was paid stays in review',
    source: 'docs/history/findings.md',
    breaks: ['asked without need'],
    patches: [
      {
        file: sources.attemptStep,
        find: 'const answered = earlier.find(isAnswered);',
        replace: 'const answered = earlier.find(() => false);',
      },
      {
        file: sources.stepRecord,
        find: 'const answered = attempts.find(isAnswered);',
        replace: 'const answered = attempts.find(() => false);',
      },
      {
        file: 'apps/worker/src/payouts/create-payout.ts',
        find: "throw new NotSentError('the receivers",
        replace: "throw new Error('the receivers",
      },
      {
        file: sources.lookUpStep,
        find: 'if (!isOpen(attempt) || attempts.some(isAnswered)) return',
        replace: 'if (!isOpen(attempt)) return',
      },
    ],
    hiddenBy: [lateWriters, endedCommands],
  },
  ...campaignDefects,
  ...foundDefects,
  ...attackersDefects,
];
