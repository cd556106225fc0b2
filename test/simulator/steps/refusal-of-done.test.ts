import { describe, expect, it } from 'vitest';
import { isRefusalOfDone } from '#worker/steps/attempts/error-mapping.js';
import { NotFoundError, RejectedError } from '#payments-client';
import { patience, payment } from '../../lifecycle/payment/sample-payments.js';
import { call, captured, failing, refused } from './sample-attempts.js';
import { steps } from './stand.js';

const { StepStand } = steps;
const alreadyCompleted = failing(refused('AUTHORIZATION_ALREADY_COMPLETED'));

describe('a refusal that the step itself causes once it is carried out', () => {
  it('is looked up, because a gateway may have sent the POST twice: the step is found to be done', async () => {
    const stand = new StepStand(payment('capturing'));
    const { event } = await stand.attempt(alreadyCompleted);
    expect(event).toMatchObject({
      type: 'outcomeUnknown',
      horizonAt: stand.now + patience.outcomeHorizonMs,
      refusal: 'The provider refused it (AUTHORIZATION_ALREADY_COMPLETED).',
    });
    expect(stand.command).toMatchObject({ status: 'executing' });
    expect(await stand.lookUp([() => captured])).toMatchObject({ event: captured });
    expect(stand.command).toMatchObject({ status: 'succeeded' });
  });

  it('counts when the horizon has passed and nothing is found: the step is not repeated', async () => {
    const stand = new StepStand(payment('capturing'));
    await stand.attempt(alreadyCompleted);
    stand.pass(patience.outcomeHorizonMs);
    const { event } = await stand.lookUp([() => 'absent', () => 'absent']);
    expect(event).toMatchObject({
      type: 'stepDeclined',
      reason: 'The provider refused it (AUTHORIZATION_ALREADY_COMPLETED).',
    });
    expect(stand.command).toMatchObject({ status: 'failed', result: { code: 'provider_refused' } });
  });
});

it.each([
  ['captureAuthorization', 'AUTHORIZATION_ALREADY_COMPLETED', true],
  ['captureAuthorization', 'CAPTURE_AMOUNT_LIMIT_EXCEEDED', true],
  ['voidAuthorization', 'AUTHORIZATION_VOIDED', true],
  ['suspendAgreement', 'INVALID_STATUS_TO_SUSPEND', true],
  ['reactivateAgreement', 'INVALID_STATUS_TO_REACTIVATE', true],
  ['cancelAgreement', 'RP_INVALID_STATUS_TO_CANCEL', true],
  ['billBalance', 'RP_CANT_INCREASE_OUTSTANDING_AMOUNT', true],
  ['captureAuthorization', 'AUTHORIZATION_VOIDED', false],
  ['captureAuthorization', 'AUTHORIZATION_EXPIRED', false],
  ['suspendAgreement', 'RP_INVALID_STATUS_TO_CANCEL', false],
  ['toString', 'AUTHORIZATION_VOIDED', false],
])('%s that is refused by %s may have been carried out: %s', (type, code, isOwnDoing) => {
  expect(isRefusalOfDone(new RejectedError(call, { status: 400, code }, []), { type })).toBe(isOwnDoing);
  expect(isRefusalOfDone(new NotFoundError(call, { status: 404, code }), { type })).toBe(false);
});
