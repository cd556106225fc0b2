import { describe, expect, it } from 'vitest';
import {
  NotSentError,
  mapFailure,
  mapRefusedRepeat,
  meaningOf,
  refusalMeanings,
} from '#worker/steps/attempts/error-mapping.js';
import {
  ConflictError,
  DeclinedError,
  NotFoundError,
  RateLimitedError,
  RejectedError,
  UnauthorizedError,
  UnavailableError,
  UnknownOutcomeError,
} from '#payments-client';

const call = { operation: 'authorization.capture', requestId: 'r-1' };
const circumstances = { now: 0, horizonAt: 9_000, attempts: 0, firstRetryMs: 500, longestRetryMs: 60_000 };

const unknown = { outcome: 'unknown', event: { type: 'outcomeUnknown', horizonAt: 9_000 } };
const deferred = { outcome: 'deferred', event: { type: 'stepDeferred', retryAt: 500 } };
const declined = { outcome: 'declined', event: { type: 'stepDeclined' } };

describe('a POST without a usable answer', () => {
  it.each([
    ['whose reply was lost', new UnknownOutcomeError(call, 'connection_lost', {})],
    ['that another call stood in the way of', new ConflictError(call, { status: 409 })],
    [
      'that found its payment in another state, perhaps its own doing',
      new RejectedError(call, { status: 400, code: 'PAYMENT_STATE_INVALID' }, []),
    ],
    [
      'whose key the provider has seen before, perhaps for this very operation',
      new RejectedError(call, { status: 400, code: 'DUPLICATE_REQUEST_ID' }, []),
    ],
    ['that a bug of ours followed', new TypeError('cannot read properties of undefined')],
    ['that something threw at which is no error', 'a string'],
  ])('is in doubt: one %s', (_what, error) => {
    expect(mapFailure(error, circumstances)).toEqual(unknown);
  });
});

describe('a POST that certainly did nothing', () => {
  it.each([
    ['that was not sent, for want of a read', new NotSentError('no read')],
    ['refused for its rate', new RateLimitedError(call, { status: 429 })],
    ['that never left', new UnavailableError(call, 'connection_failed', {})],
    ['refused for its credentials, which an operator can mend', new UnauthorizedError(call, { status: 401 })],
  ])('is deferred: one %s', (_what, error) => {
    expect(mapFailure(error, circumstances)).toEqual(deferred);
  });

  it.each([
    ['declined by the funding source', new DeclinedError(call, { code: 'INSTRUMENT_DECLINED' })],
    ['refused as it stands', new RejectedError(call, { status: 422, code: 'AUTHORIZATION_VOIDED' }, [])],
    ['whose resource nobody knows', new NotFoundError(call, { status: 404 })],
  ])('has failed: one %s', (_what, error) => {
    expect(mapFailure(error, circumstances)).toMatchObject(declined);
  });

  it.each([
    [
      new DeclinedError(call, { code: 'INSTRUMENT_DECLINED' }),
      'The provider declined it (INSTRUMENT_DECLINED).',
    ],
    [
      new RejectedError(call, { status: 422, code: 'AUTHORIZATION_VOIDED' }, []),
      'The provider refused it (AUTHORIZATION_VOIDED).',
    ],
    [new NotFoundError(call, { status: 404 }), 'The provider does not know the resource (no reason given).'],
  ])('is reported with the provider’s reason: %o', (error, reason) => {
    expect(mapFailure(error, circumstances)).toMatchObject({ event: { reason } });
  });

  it('does not fail the payment when only an approval is missing', () => {
    const error = new RejectedError(call, { code: 'PAYMENT_NOT_APPROVED_FOR_EXECUTION' }, []);
    expect(meaningOf(refusalMeanings.payment, error)).toEqual({ type: 'approvalFoundMissing' });
  });
});

describe('a repeat that is refused', () => {
  it('is in doubt: the first request may have been carried out late and cause the refusal', () => {
    const refusal = mapFailure(new RejectedError(call, { code: 'AUTHORIZATION_VOIDED' }, []), circumstances);
    expect(mapRefusedRepeat(refusal, circumstances)).toMatchObject(unknown);
  });

  it('is in doubt, too, when the refusal has its own meaning, which it keeps', () => {
    const error = new RejectedError(call, { code: 'REAUTHORIZATION_TOO_SOON' }, []);
    const meant = meaningOf(refusalMeanings.payment, error);
    expect(mapRefusedRepeat(mapFailure(error, circumstances), circumstances, meant)).toMatchObject({
      ...unknown,
      event: { ...unknown.event, meant: { type: 'reauthorizationTooSoon' } },
    });
  });

  it('or deferred is treated like any POST', () => {
    const putOff = mapFailure(new RateLimitedError(call, { status: 429 }), circumstances);
    expect(mapRefusedRepeat(putOff, circumstances)).toEqual(deferred);
  });
});
