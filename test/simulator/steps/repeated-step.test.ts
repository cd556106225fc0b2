import { describe, expect, it } from 'vitest';
import { patience, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import {
  answered,
  answering,
  call,
  captured,
  deferred,
  failing,
  refused,
  repeated,
  sentAs,
  undone,
} from './sample-attempts.js';

const { StepStand, DeclinedError } = steps;

describe('a repeat', () => {
  it('is exactly the request that was proved undone', async () => {
    const stand = new StepStand(repeated('capturing', 1));
    const { request_id: requestId, reference } = stand.madeBefore(0, undone);
    expect(await stand.attempt(answering)).toMatchObject({ event: captured });
    expect(stand.sent).toEqual([{ requestId, reference }]);
    expect(stand.attempts.map(({ outcome }) => outcome)).toEqual(['undone', 'answered']);
  });

  it('has a fresh request id if the provider keeps a failure under the old one', async () => {
    const stand = new StepStand(repeated('capturing', 1));
    const { request_id: requestId } = stand.madeBefore(0, undone);
    const failure = { operation: 'capture', status: 500, requestId, debugId: 'D-1' } as never;
    stand.rows.recordCalls('pay_1', [failure, failure]);
    await stand.attempt(answering);
    expect(stand.sent).toHaveLength(1);
    expect(stand.sent[0]?.requestId).not.toBe(requestId);
    expect(stand.attempts[1]).toMatchObject({ attempt_number: 1, ...sentAs(stand), outcome: 'answered' });
  });

  it('is not sent if an earlier attempt was answered after all: that is the outcome of the step', async () => {
    const stand = new StepStand(repeated('capturing', 2));
    stand.madeBefore(0, answered);
    stand.madeBefore(1, undone);
    expect(await stand.attempt(answering)).toEqual({ event: captured, at: stand.now });
    expect(stand.sent).toEqual([]);
    expect(stand.attempts).toHaveLength(2);
    expect(stand.rows.calls).toEqual([]);
    expect(stand.payment).toMatchObject({ status: 'captured' });
    expect(stand.command).toMatchObject({ status: 'succeeded', result: { captureId: 'CAP-2' } });
  });

  it('follows those before it, not those that a worker that died has made after it', async () => {
    const stand = new StepStand(repeated('capturing', 1));
    stand.madeBefore(0, undone);
    const [second, third] = [stand.madeBefore(1), stand.madeBefore(2, answered)];
    expect(await stand.attempt(answering)).toMatchObject({ event: captured });
    expect(stand.sent).toEqual([]);
    // The answer is the outcome of the step, so of this attempt too.
    expect(stand.attempts.slice(1)).toMatchObject([
      { ...second, ...answered, settled_at: expect.any(Date) },
      third,
    ]);
  });
});

describe('a refusal', () => {
  it.each([
    ['capturing', 'capture', 'AUTHORIZATION_VOIDED', { type: 'stepDeclined' }, 'failed'],
    [
      'reauthorizing',
      'reauthorize',
      'REAUTHORIZATION_TOO_SOON',
      { type: 'reauthorizationTooSoon' },
      'failed',
    ],
  ] as const)(
    'of a payment that is %s ends its step, as what it means',
    async (status, kind, code, event, end) => {
      const stand = new StepStand(payment(status), { kind });
      const outcome = await stand.attempt(failing(refused(code)));
      expect(outcome).toMatchObject({ event });
      expect(stand.attempts).toMatchObject([{ outcome: 'declined', event }]);
      expect(stand.payment.state.openStep).toBeUndefined();
      expect(stand.command).toMatchObject({ status: end, result: { code: 'provider_refused' } });
    },
  );

  it('has a meaning of its own only if the request was rejected', async () => {
    const stand = new StepStand(payment('reauthorizing'), { kind: 'reauthorize' });
    const declined = new DeclinedError(call, { status: 422, code: 'REAUTHORIZATION_TOO_SOON' });
    expect(await stand.attempt(failing(declined))).toMatchObject({
      event: { type: 'stepDeclined', reason: 'The provider declined it (REAUTHORIZATION_TOO_SOON).' },
    });
  });

  it.each([
    ['capturing', 'capture', 'AUTHORIZATION_VOIDED', undefined],
    ['reauthorizing', 'reauthorize', 'REAUTHORIZATION_TOO_SOON', { type: 'reauthorizationTooSoon' }],
  ] as const)(
    'of a repeat, of a payment that is %s, counts only when nothing is found until the horizon',
    async (status, kind, code, meant) => {
      const stand = new StepStand(repeated(status, 1), { kind });
      stand.madeBefore(0, undone);
      const { event } = await stand.attempt(failing(refused(code)));
      const horizonAt = stand.now + patience.outcomeHorizonMs;
      const refusal = `The provider refused it (${code}).`;
      expect(event).toMatchObject({ type: 'outcomeUnknown', horizonAt, refusal, ...(meant && { meant }) });
      expect('meant' in event).toBe(meant !== undefined);
      expect(stand.attempts[1]).toMatchObject({ outcome: 'unknown', event });
      expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt', horizonAt });
      expect(stand.command).toMatchObject({ status: 'executing' });
    },
  );

  it('counts at once if the earlier attempts were never sent', async () => {
    const stand = new StepStand(repeated('capturing', 1));
    stand.madeBefore(0, deferred(stand.now));
    await stand.attempt(failing(refused('AUTHORIZATION_VOIDED')));
    expect(stand.attempts[1]).toMatchObject({ outcome: 'declined', event: { type: 'stepDeclined' } });
    expect(stand.command).toMatchObject({ status: 'failed' });
  });

  it('of a repeat is looked up also if one of several earlier attempts was sent', async () => {
    const stand = new StepStand(repeated('capturing', 2));
    stand.madeBefore(0, undone);
    stand.madeBefore(1, deferred(stand.now));
    await stand.attempt(failing(refused('AUTHORIZATION_VOIDED')));
    expect(stand.attempts[2]).toMatchObject({ outcome: 'unknown' });
  });
});
