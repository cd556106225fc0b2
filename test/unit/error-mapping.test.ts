import { describe, expect, it } from 'vitest';
import { mapFailure, meaningOf, refusalMeanings } from '#worker/steps/attempts/error-mapping.js';
import { ConflictError, RateLimitedError, RejectedError, UnknownOutcomeError } from '#payments-client';

const hour = 3_600_000;
const circumstances = { now: 0, horizonAt: hour, attempts: 2, firstRetryMs: 500, longestRetryMs: hour };

const putOff = (retryAfterMs?: number) => {
  const identity = { operation: 'authorization.capture', requestId: 'r-1' } as const;
  return mapFailure(
    new RateLimitedError(identity, { status: 429, code: undefined, debugId: undefined, retryAfterMs }),
    circumstances,
  );
};

const refused = (code: string) =>
  mapFailure(new RejectedError({ operation: 'payment.execute' }, { status: 400, code }, []), circumstances);

const meaning = (code?: string) =>
  meaningOf(refusalMeanings.payment, new RejectedError({ operation: 'payment.execute' }, { code }, []));

describe('a call that the provider defers', () => {
  it('is repeated when the provider asks for it, or after waits that double', () => {
    expect(putOff(60_000).event).toEqual({ type: 'stepDeferred', retryAt: 60_000 });
    expect(putOff().event).toEqual({ type: 'stepDeferred', retryAt: 2_000 });
  });

  it('is not deferred for years: meanwhile the payment could neither be captured nor voided', () => {
    expect(putOff(999_999_999_000).event).toEqual({ type: 'stepDeferred', retryAt: hour });
  });
});

describe('a payment that the provider finds in another state than its execution needs', () => {
  it('is looked up, because it may have been executed', () => {
    expect(refused('PAYMENT_STATE_INVALID').event).toEqual({ type: 'outcomeUnknown', horizonAt: hour });
    expect(refused('INVALID_PAYER_ID').event).toMatchObject({ type: 'stepDeclined' });
  });
});

describe('the meaning of a refusal', () => {
  it('is that of its code in its lifecycle, and of no other word', () => {
    expect(meaning('PAYMENT_NOT_APPROVED_FOR_EXECUTION')).toEqual({ type: 'approvalFoundMissing' });
    expect(['PAYMENT_EXPIRED', 'constructor', undefined].map(meaning)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is none in a lifecycle that knows no such codes', () => {
    expect(meaningOf(undefined, new RejectedError({ operation: 'payment.execute' }, {}, []))).toBeUndefined();
  });
});

describe('a call about what the provider has just made', () => {
  const call = { operation: 'authorization.capture', requestId: 'r-1' } as const;

  it.each([
    new UnknownOutcomeError(call, 'timed_out', {}),
    new ConflictError(call, { status: 409 }),
    new TypeError('a bug, perhaps after the call was sent'),
  ])('is in doubt as ever, and not repeated, after %s', (error) => {
    expect(mapFailure(error, { ...circumstances, isNew: true }).event).toEqual({
      type: 'outcomeUnknown',
      horizonAt: hour,
    });
  });
});
