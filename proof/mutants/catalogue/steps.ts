import { type Mutant, mutantsOf } from './mutant.js';

const killers = [
  'test/faults/carried-on.test.ts',
  'test/faults/late-worker.test.ts',
  'test/outcomes/looks.test.ts',
  'test/outcomes/late-execution.test.ts',
];

/** One POST that moves money, and what is written before and after it. */
export const stepMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'apps/worker/src/steps/attempts/attempt-identity.ts',
      killers: [...killers, 'test/outcomes/poisoned-keys.test.ts'],
    },
    [
      {
        name: 'references-are-shared',
        harm: 'two equal partial captures cannot be told apart',
        from: 'reference: `${subjectId}-${requestId.slice(0, 8)}`',
        to: 'reference: subjectId',
      },
      {
        name: 'repeats-have-fresh-keys',
        harm: 'a repeat whose proof was wrong moves the money again',
        from: 'return { requestId: last.request_id, reference: last.reference };',
        to: 'return freshIdentity(place);',
      },
      {
        name: 'poisoned-keys-are-kept',
        harm: 'a void that the provider has stored a failure for is never made',
        from: 'if (isPoisoned(failures, underKey)) return freshIdentity(place);',
        to: 'void isPoisoned(failures, underKey);',
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/steps/attempts/attempt-step.ts', killers }, [
    {
      name: 'attempt-row-after-the-post',
      harm: 'a crash after the send leaves no trace of it, and it is sent again',
      from: '  const begin = await record.begin(',
      to: `  await send(identity).catch(() => undefined);
  const begin = await record.begin(`,
    },
    {
      name: 'begun-attempts-are-sent-again',
      harm: 'a second worker makes the POST that the first one has made',
      from: "if (begin.kind === 'repeated') return await record.resume();",
      to: "if (begin.kind === 'repeated') await send(identity);",
      also: [
        {
          from: '{ attemptId: begin.attemptId, ...result, at: new Date() }',
          to: '{ attemptId: begin.kind === "begun" ? begin.attemptId : 0, ...result, at: new Date() }',
        },
      ],
    },
  ]),
  ...mutantsOf({ file: 'apps/worker/src/steps/attempts/step-record.ts', killers }, [
    {
      name: 'open-attempts-are-undone',
      harm: 'a POST whose process died is repeated without a look',
      from: `return { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt } };`,
      to: `return { outcome: 'undone', event: { type: 'stepProvedUndone' } };`,
    },
    {
      name: 'horizon-without-the-call',
      harm: 'a call that is still on its way is proved undone',
      from: 'const horizonAt = attempt.send_by.getTime() + outcomeHorizonMs;',
      to: 'const horizonAt = attempt.begun_at.getTime() + 0 * outcomeHorizonMs;',
    },
    {
      name: 'late-answer-is-told-as-mine',
      harm: 'the run goes on from an outcome that is not in the rows',
      from: 'return recorded ? resultForRun : await onAlreadyRecorded();',
      to: 'return resultForRun;',
    },
  ]),
  ...mutantsOf({ file: 'apps/worker/src/steps/attempts/attempt-step.ts', killers }, [
    {
      name: 'sent-too-late',
      harm: 'a paused worker sends a POST that was proved undone meanwhile',
      from: 'elapsedMs() > sendMarginMs',
      to: 'elapsedMs() < 0',
    },
  ]),
  ...mutantsOf(
    { file: 'libs/workflows/src/run/lifecycle-run.ts', killers: ['test/faults/persisted-reads.test.ts'] },
    [
      {
        name: 'reads-persist-nothing',
        harm: 'a read is lost with its worker, and what the engine did because of it counts as done by others',
        from: 'if (!this.causeNotInHistory) return;',
        to: 'if (this.causeNotInHistory !== undefined) return;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/payment-command-outcomes.ts',
      killers: ['test/unit/command-outcomes.test.ts'],
    },
    [
      {
        name: 'denied-captures-succeed',
        harm: 'the order service is told of money that never came',
        from: `status: status === 'denied' ? 'failed' : 'succeeded', result`,
        to: `status: 'succeeded', result`,
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/steps/activities/command-outcomes.ts',
      killers: ['test/unit/command-outcomes.test.ts'],
    },
    [
      {
        name: 'commands-of-unknown-outcome-fail',
        harm: 'the order service asks again while its capture is on its way',
        from: `return after.openStep ? { ...command, status: 'executing' } : givenUp(command, after);`,
        to: 'return givenUp(command, after);',
      },
    ],
  ),
];
