import { describe, expect, it } from 'vitest';
import {
  billAgreementBalance,
  cancelAgreement,
  suspendAgreement,
  updatePlan,
} from '#payments-client/operations/subscriptions.js';
import { Budget } from '#payments-client/transport/budget.js';
import { classify, parseBody } from '#payments-client/transport/classify.js';
import { Attempts } from '#payments-client/transport/retry-loop.js';
import { mapFailure } from '#worker/steps/attempts/error-mapping.js';

const answer = (status: number, text: string) =>
  ({ kind: 'answer', status, headers: {}, body: Buffer.from(text) }) as const;

const resultOf = (operation: typeof cancelAgreement, status: number, text: string) => {
  const given = answer(status, text);
  return classify(operation, { operation: operation.name }, 'I-1', given, parseBody(given));
};

const circumstances = { now: 0, horizonAt: 9_000, attempts: 0, firstRetryMs: 500, longestRetryMs: 60_000 };

describe('an answer that has no body at the provider', () => {
  it.each([204, 200])('is a success without one: %s', (status) => {
    expect(resultOf(cancelAgreement, status, '')).toMatchObject({ kind: 'done' });
  });

  it.each([
    ['an error of the provider’s', '{"name":"INTERNAL_SERVER_ERROR","message":"x","debug_id":"d"}'],
    ['a gateway’s own words', '{"message":"Service is temporarily unavailable"}'],
    ['a gateway’s error', '{"error":"upstream_timeout"}'],
  ])('proves nothing with %s, like any success that is not in the promised form', (_what, text) => {
    for (const operation of [cancelAgreement, suspendAgreement, billAgreementBalance])
      expect(resultOf(operation, 200, text)).toMatchObject({ kind: 'unknown' });
  });
});

/** What is thrown by a call whose sendings are answered so, one after the other. */
async function failureOf(operation: typeof updatePlan, ...answers: (readonly [number, string])[]) {
  const attempts = new Attempts(
    operation.repeatability,
    { maxAttempts: answers.length, baseDelayMs: 0, maxDelayMs: 0 },
    new Budget(60_000, undefined),
  );
  try {
    for (const [status, text] of answers) {
      const result = resultOf(operation, status, text);
      if (result.kind !== 'done') await attempts.waitAfter(result);
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the change of a plan whose first sending has no usable answer', () => {
  it.each([
    [429, '{"name":"RATE_LIMIT_REACHED"}'],
    [403, '{"name":"NOT_AUTHORIZED"}'],
    [404, '{"name":"TEMPLATE_ID_INVALID"}'],
    [400, '{"name":"VALIDATION_ERROR"}'],
  ])('is in doubt, whatever answers its repeat: %s', async (status, text) => {
    const error = await failureOf(updatePlan, [503, ''], [status, text]);
    // As deactivatePlan (create-plan.ts) reports it: an UnavailableError is thrown as something unknown there.
    expect(mapFailure(error, circumstances).outcome).toBe('unknown');
  });
});
