import { type Mutant, mutantsOf } from './mutant.js';

const killers = [
  'test/faults/carried-on.test.ts',
  'test/faults/late-worker.test.ts',
  'test/outcomes/looks.test.ts',
  'test/outcomes/late-execution.test.ts',
];
const mappingTests = ['test/unit/error-mapping.test.ts', 'test/unit/failed-posts.test.ts'];

/** What an answer that did not come may be taken for. */
export const outcomeMutants: readonly Mutant[] = [
  ...mutantsOf(
    {
      file: 'libs/payments-client/src/transport/classify.ts',
      killers: ['test/client/unkeyed-posts.test.ts', 'test/client/refusals.test.ts'],
    },
    [
      {
        name: 'pages-of-gateways-are-refusals',
        harm: 'a capture that was made is made again, or told as refused',
        from: 'return document.safeParse(body).success;',
        to: 'return body !== null || document.safeParse(body).success;',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'libs/payments-client/src/transport/exchange.ts',
      killers: ['test/client/paused-process.test.ts'],
    },
    [
      {
        name: 'a-paused-process-sends-late',
        harm: 'a capture that another worker has proved undone, and made, is made twice',
        from: `if (this.#elapsedMs() >= this.#timeoutMs) this.#giveUp('timed_out');`,
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    { file: 'apps/api/src/refunds/request-refund.ts', killers: ['test/api/refunds-after-a-restore.test.ts'] },
    [
      {
        name: 'a-restore-hides-refunds',
        harm: 'a refund whose row was lost in a restore is made twice',
        from: `asked.kind === 'granted' && mayMiss`,
        to: `asked.kind === 'granted' && mayMiss && (false as boolean)`,
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/steps/attempts/error-mapping.ts', killers: mappingTests }, [
    {
      name: 'unknown-is-failed',
      harm: 'the order service asks again for money that has moved',
      from: 'if (error instanceof UnknownOutcomeError) return unknown(circumstances);',
      to: `if (error instanceof UnknownOutcomeError) return declined('No answer', 'NONE');`,
    },
    {
      name: 'unforeseen-errors-are-failures',
      harm: 'a bug after the send is taken for proof that nothing moved',
      from: `    return deferred(error.retryAfterMs, circumstances);
  }
  return unknown(circumstances);`,
      to: `    return deferred(error.retryAfterMs, circumstances);
  }
  return declined('It failed', 'UNKNOWN');`,
    },
    {
      name: 'unknown-is-repeated-blindly',
      harm: 'a lost reply becomes a second capture',
      from: 'if (error instanceof UnknownOutcomeError) return unknown(circumstances);',
      to: 'if (error instanceof UnknownOutcomeError) return deferred(undefined, circumstances);',
    },
    {
      name: 'refused-repeats-are-failures',
      harm: 'the refusal that the first, late execution causes is taken for its failure',
      from: `if (event.type !== 'stepDeclined') return failure;`,
      to: 'return failure;',
    },
    {
      name: 'conflict-is-a-refusal',
      harm: 'a capture that another call of ours is just making is called failed',
      from: 'if (error instanceof ConflictError) return unknown(circumstances);',
      to: `if (error instanceof ConflictError) return declined('Conflict', error.code);`,
    },
    {
      name: 'wrong-state-is-a-refusal',
      harm: 'an execution that was carried out is shown as declined, its hold forgotten',
      from: `PAYMENT_STATE_INVALID: 'unknownOutcome',`,
      to: '',
    },
  ]),
  ...mutantsOf(
    {
      file: 'libs/workflows/src/lifecycle/step/step-rules.ts',
      killers: ['test/lifecycle/payment/open-step.test.ts', 'test/lifecycle/payment/put-off-step.test.ts'],
    },
    [
      {
        name: 'unknown-outcome-is-repeated',
        harm: 'a POST of unknown outcome is sent again at its next deadline',
        from: `return moved(state, { type: 'lookUp', step, horizonAt, ...hintIn(event) });`,
        to: `return moved(state, { type: 'perform', step });`,
      },
      {
        name: 'attempts-without-end',
        harm: 'a payment hangs on a provider that never answers',
        from: 'if (attempts < this.traits.waitPolicyOf(state).maxAttempts) return false;',
        to: 'if (attempts >= 0) return false;',
      },
      {
        name: 'policy-gives-up',
        harm: 'a hold that should be captured or voided by policy is left to lapse',
        from: 'return this.traits.isRepeatedBeyondLimit?.(state, step, now) !== true;',
        to: 'return true;',
      },
      {
        name: 'nobody-is-asked',
        harm: 'an unknown outcome that cannot be resolved is shown to nobody',
        from: 'now - openStep.since < patience.reviewAfterMs',
        to: 'now - openStep.since >= 0',
      },
      {
        name: 'webhook-hurries-a-repeat',
        harm: 'the provider is called again though it asked us to wait',
        from: `if (openStep.phase !== 'retry' || event.type !== 'stepCameDue') return { kind: 'stale', state };`,
        to: `if (openStep.phase !== 'retry') return { kind: 'stale', state };`,
      },
      {
        name: 'repeat-under-the-old-number',
        harm: 'a repeat is taken for the attempt before it and never sent',
        from: '{ ...state, openStep: { ...runningStep(openStep.number, openStep.step, now), attempts } },',
        to: '{ ...state, openStep: { ...runningStep(openStep.number, openStep.step, now), attempts: openStep.attempts } },',
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/steps/lookups/look-up-step.ts', killers }, [
    {
      name: 'absence-proves-at-once',
      harm: 'what the provider executes late is executed twice',
      from: 'const isPastHorizon = lookedAt >= openStep.horizonAt;',
      to: 'const isPastHorizon = lookedAt >= 0;',
    },
    {
      name: 'look-counts-from-its-end',
      harm: 'a look that began before the horizon and took long proves absence',
      from: `(result === 'absent' && !isPastHorizon)`,
      to: `(result === 'absent' && Date.now() < openStep.horizonAt)`,
    },
    {
      name: 'failed-look-proves-absence',
      harm: 'a provider that is away is taken for one that did nothing',
      from: `if (isProviderTrouble(error)) return 'unreadable';`,
      to: `if (isProviderTrouble(error)) return 'absent';`,
    },
  ]),
  ...mutantsOf(
    { file: 'apps/worker/src/steps/attempts/error-mapping.ts', killers: ['test/unit/failed-posts.test.ts'] },
    [
      {
        name: 'repeats-lose-what-their-refusal-means',
        harm: 'a hold that is reauthorized too soon is never reauthorized again',
        from: '...(meant && { meant })',
        to: '',
      },
      {
        name: 'unsent-has-an-unknown-outcome',
        harm: 'what was never sent keeps the hold from captures until the horizon',
        from: 'if (error instanceof NotSentError) return deferred(undefined, circumstances);',
        to: '',
      },
    ],
  ),
  ...mutantsOf(
    {
      file: 'apps/worker/src/payments/look-up-money-step.ts',
      killers: [...killers, 'test/outcomes/confirmed-by-two-reads.test.ts'],
    },
    [
      {
        name: 'void-needs-no-proof',
        harm: 'a hold that nobody released is shown as voided',
        from: `if (authorization?.state === 'voided') return { type: 'voidConfirmed'`,
        to: `if (authorization) return { type: 'voidConfirmed'`,
      },
      {
        name: 'void-forgets-what-was-captured-elsewhere',
        harm: 'a payment of which somebody captured a part is told as voided, with nothing captured',
        from: `return { type: 'voidConfirmed', shown: facts.captures };`,
        to: `return { type: 'voidConfirmed', shown: [] };`,
      },
      {
        name: 'captures-are-told-apart-by-nothing',
        harm: 'an older capture is taken for the one of unknown outcome',
        from: 'captures.find(({ reference }) => attempts.some((attempt) => attempt.reference === reference))',
        to: 'captures.find(({ reference }) => reference !== undefined)',
      },
    ],
  ),
  ...mutantsOf({ file: 'apps/worker/src/payments/void-authorization.ts', killers }, [
    {
      name: 'void-answer-is-not-read',
      harm: 'an answer that says "authorized" is taken for a void',
      from: `if (state !== 'voided') throw new UnreadableAnswerError();`,
      to: 'void UnreadableAnswerError, state;',
    },
  ]),
];
