import { describe, expect, it } from 'vitest';
import { freshIdentity } from '#worker/steps/attempts/attempt-identity.js';
import { allowedActions } from '#workflows/lifecycle/payment';
import { authorization, patience, payment } from '../../lifecycle/payment/sample-payments.js';
import { steps } from './stand.js';
import {
  answered,
  answering,
  call,
  captured,
  failing,
  refused,
  repeated,
  sentAs,
} from './sample-attempts.js';

const { NotSentError, StepStand, UnavailableError, UnknownOutcomeError } = steps;
describe('a POST that can move money', () => {
  it('is sent once its attempt is committed, and its answer is recorded with what follows', async () => {
    const stand = new StepStand(payment('capturing'));
    const outcome = await stand.attempt(async () => {
      expect(stand.attempts).toMatchObject([{ outcome: null, send_by: new Date(stand.now + 30_000) }]);
      expect(stand.command).toMatchObject({ status: 'executing' });
      expect(stand.payment).toMatchObject({ status: 'capturing', version: 4 });
      stand.pass(3_000);
      stand.calls.push({ operation: 'capture', status: 201 } as never);
      return captured;
    });
    expect(outcome).toEqual({ event: captured, at: stand.now });
    expect(stand.sent).toEqual([freshIdentity({ subjectId: 'pay_1', stepName: 'cmd_2', attemptNumber: 0 })]);
    expect(stand.attempts).toMatchObject([
      { ...sentAs(stand), outcome: 'answered', event: captured, settled_at: new Date(stand.now) },
    ]);
    expect(stand.payment).toMatchObject({ status: 'captured', version: 5 });
    expect(stand.timeline).toMatchObject([
      { version: 5, event: 'captureAnswered', from: 'capturing', to: 'captured' },
    ]);
    expect(stand.command).toMatchObject({ status: 'succeeded', result: { captureId: 'CAP-2' } });
    expect(stand.rows.calls).toMatchObject([{ subjectId: 'pay_1', status: 201 }]);
    expect(stand.announced).toEqual(['pay_1']);
  });

  it('is made for no command if the payer asked for it', async () => {
    const stand = new StepStand(payment('authorizing'));
    stand.restore = { restoredAt: new Date(stand.now), restoredTo: new Date(stand.now) };
    stand.writeElsewhere({ createdAt: stand.now });
    const event = { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization } as const;
    expect(await stand.attempt(async () => event)).toMatchObject({ event });
    expect(stand.payment).toMatchObject({ status: 'authorized' });
    expect([...stand.rows.commands.values()]).toMatchObject([{ id: 'cmd_2', status: 'accepted' }]);
  });

  it('is not sent once its payer has cancelled: the payment ends, and nothing is held', async () => {
    const stand = new StepStand({ ...payment('authorizing'), isCancelWaiting: true });
    expect(await steps.executePayment(stand.work, stand.input)).toMatchObject({
      event: { type: 'approvalFoundMissing' },
    });
    expect(stand.payment).toMatchObject({ status: 'cancelled', version: 5 });
  });

  it('has what was read before it in its own row only, from which no later attempt of the step is made', async () => {
    const stand = new StepStand(payment('reauthorizing'), { kind: 'reauthorize' });
    await stand.attempt(failing(new NotSentError('unreadable')), { isUnsent: true });
    const { openStep } = stand.input.state;
    expect(stand.attempts).toMatchObject([
      { outcome: 'deferred', step: { ...openStep?.step, isUnsent: true } },
    ]);
    expect(stand.payment.state.openStep?.step).toEqual(openStep?.step);
  });

  it('is not sent if its attempt cannot be committed', async () => {
    const stand = new StepStand(payment('capturing'));
    stand.onHop = () => {
      stand.onHop = () => undefined;
      throw new Error('no connection');
    };
    await expect(stand.attempt(answering)).rejects.toThrow('no connection');
    expect(stand.sent).toEqual([]);
    expect(stand.payment).toMatchObject({ status: 'capturing', version: 3 });
  });

  it('is not begun by a worker that cannot send it', async () => {
    const stand = new StepStand(payment('capturing'));
    stand.isConfigured = false;
    await expect(stand.attempt(answering)).rejects.toThrow('not configured');
    expect(stand.attempts).toEqual([]);
    expect(stand.command).toMatchObject({ status: 'accepted' });
  });

  it('is not sent, and not begun, for a command that has ended: the run gets the reason', async () => {
    const stand = new StepStand(payment('capturing'));
    stand.rows.commands.refuse('cmd_2', { code: 'not_allowed_in_state', reason: 'It was refused.' });
    const event = { type: 'stepDeclined', reason: 'It was refused.' };
    expect(await stand.attempt(answering)).toEqual({ event, at: stand.now });
    expect(stand.sent).toEqual([]);
    expect(stand.attempts).toEqual([]);
    expect(stand.command).toMatchObject({ status: 'refused' });
    expect(stand.payment.state.openStep).toBeUndefined();
    expect(stand.announced).toEqual(['pay_1']);
  });

  it('is not sent for a payment whose end the run does not know', async () => {
    const stand = new StepStand(payment('capturing'));
    stand.writeElsewhere({ status: 'voided' });
    await expect(stand.attempt(answering)).rejects.toBeInstanceOf(steps.EndOnRecordError);
    expect(stand.sent).toEqual([]);
    expect(stand.attempts).toEqual([]);
  });

  it.each([
    [5_000, 'is sent', 1, 'answered'],
    [5_001, 'is not sent, and is repeated at once', 0, 'deferred'],
  ])('that was held up for %i ms %s', async (heldUpMs, _what, times, outcome) => {
    const stand = new StepStand(payment('capturing'));
    const begunAt = stand.now;
    stand.onHop = () => {
      stand.pass(stand.now === begunAt ? heldUpMs : 0);
    };
    const { event } = await stand.attempt(answering);
    expect(stand.sent).toHaveLength(times);
    expect(stand.attempts).toMatchObject([{ outcome }]);
    if (times === 0) expect(event).toEqual({ type: 'stepDeferred', retryAt: stand.now });
  });

  it.each([
    ['', 0, 0],
    [', by the database’s clock if that is ahead', 3_600_000, 3_600_000],
    [', by the worker’s clock if that is ahead', -3_600_000, 0],
  ])(
    'whose answer was lost can be carried out until the horizon, which begins when its call has ended%s',
    async (_by, aheadMs, laterMs) => {
      const stand = new StepStand(payment('capturing'));
      Object.assign(stand.rows, { now: () => stand.now + aheadMs });
      const { event } = await stand.attempt(async () => {
        stand.pass(25_000);
        throw new UnknownOutcomeError(call, 'timed_out', {});
      });
      const horizonAt = stand.now + laterMs + patience.outcomeHorizonMs;
      expect(event).toEqual({
        type: 'outcomeUnknown',
        horizonAt,
        reviewAt: stand.now + patience.reviewAfterMs,
      });
      expect(stand.attempts).toMatchObject([{ outcome: 'unknown', event }]);
      expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt', horizonAt });
      expect(stand.command).toMatchObject({ status: 'executing' });
    },
  );

  it('that is refused with a code of another step is over, and its hold can be voided', async () => {
    const stand = new StepStand(payment('capturing'));
    await stand.attempt(failing(refused('REAUTHORIZATION_TOO_SOON')));
    expect(stand.command).toMatchObject({ status: 'failed', result: { code: 'provider_refused' } });
    expect(stand.payment.state).not.toHaveProperty('openStep');
    expect(allowedActions(stand.payment.state, stand.now)).toContain('release');
  });

  it('is repeated if the provider does not know the hold yet, and is refused once it must know it', async () => {
    const unknown = new steps.NotFoundError(call, { status: 404, code: 'INVALID_RESOURCE_ID' });
    const captureAt = async (now: number, changed: Partial<typeof authorization> = {}) => {
      const state = payment('capturing');
      const stand = new StepStand({ ...state, authorization: { ...authorization, ...changed } });
      stand.pass(now - stand.now);
      const { event } = await stand.attempt(failing(unknown));
      return { event, status: stand.payment.status, command: stand.command.status };
    };
    const madeAt = authorization.createdAt;
    const upToDateAt = madeAt + patience.outcomeHorizonMs;
    const putOff = { event: { type: 'stepDeferred' }, status: 'capturing', command: 'executing' };
    const over = { event: { type: 'stepDeclined' }, status: 'partially_captured', command: 'failed' };
    expect(await captureAt(madeAt)).toMatchObject(putOff);
    expect(await captureAt(upToDateAt - 1)).toMatchObject(putOff);
    expect(await captureAt(upToDateAt)).toMatchObject(over);
    const renewal = { heldAt: upToDateAt, dayLengthMs: 86_400_000 };
    expect(await captureAt(upToDateAt, { renewal })).toMatchObject(putOff);
  });

  it('is repeated if the provider does not know the payment yet, until the horizon is over since the first try', async () => {
    const unknown = new steps.NotFoundError(call, { status: 404, code: 'INVALID_RESOURCE_ID' });
    const executing = repeated('authorizing', 1);
    const first = new StepStand(repeated('authorizing', 0));
    expect(await first.attempt(failing(unknown))).toMatchObject({ event: { type: 'stepDeferred' } });
    const again = async (ms: number) => {
      const stand = new StepStand(executing);
      stand.madeBefore(0, { step_name: 'execute-2', begun_at: new Date(stand.now), outcome: 'deferred' });
      stand.pass(ms);
      return await stand.attempt(failing(unknown));
    };
    expect(await again(patience.outcomeHorizonMs - 1)).toMatchObject({ event: { type: 'stepDeferred' } });
    expect(await again(patience.outcomeHorizonMs)).toMatchObject({ event: { type: 'stepDeclined' } });
  });

  it('has an unknown outcome if its answer shows nothing about earlier calls', async () => {
    const stand = new StepStand(payment('capturing'));
    const event = { type: 'outcomeUnknown', horizonAt: stand.now + 9, reviewAt: stand.now + 10 } as const;
    expect(await stand.attempt(async () => event)).toMatchObject({ event });
    expect(stand.attempts).toMatchObject([{ outcome: 'unknown', event }]);
  });

  it.each([
    [0, 1_000],
    [1, 2_000],
    [3, 8_000],
    [12, 3_600_000],
  ])('that the provider did not take after %i others waits for %i ms', async (attempts, waitMs) => {
    const stand = new StepStand(repeated('capturing', attempts));
    const { event } = await stand.attempt(
      failing(new UnavailableError(call, 'server_error', { status: 503 })),
    );
    expect(event).toEqual({ type: 'stepDeferred', retryAt: stand.now + waitMs });
    expect(stand.attempts).toMatchObject([{ attempt_number: attempts, outcome: 'deferred' }]);
  });
});

describe('a POST that was begun before', () => {
  it('is not sent again while its answer is awaited: it can be sent for half a minute, and carried out after', async () => {
    const stand = new StepStand(payment('capturing'));
    await new Promise<void>((resolve, reject) => {
      const answer = async () => {
        resolve();
        return await new Promise<never>(() => undefined);
      };
      stand.attempt(answer).catch(reject);
    });
    stand.pass(1_000);
    const { event } = await stand.attempt(answering);
    const horizonAt = stand.now - 1_000 + 30_000 + patience.outcomeHorizonMs;
    expect(event).toMatchObject({ type: 'outcomeUnknown', horizonAt });
    expect(stand.sent).toHaveLength(1);
    expect(stand.attempts).toMatchObject([{ outcome: 'unknown', event }]);
    expect(stand.payment.state.openStep).toMatchObject({ phase: 'doubt', horizonAt });
    expect(stand.rows.calls).toEqual([]);
  });

  it('has the outcome on record, from which the payment continues', async () => {
    const stand = new StepStand(payment('capturing'));
    const { settled_at: settledAt } = stand.madeBefore(0, answered);
    stand.pass(1_000);
    expect(await stand.attempt(answering)).toEqual({ event: captured, at: settledAt?.getTime() });
    expect(stand.sent).toEqual([]);
    expect(stand.attempts).toHaveLength(1);
    expect(stand.payment).toMatchObject({ status: 'captured' });
    expect(stand.command).toMatchObject({ status: 'succeeded' });
    expect(stand.rows.calls).toEqual([]);
    expect(stand.announced).toEqual(['pay_1']);
  });
});
