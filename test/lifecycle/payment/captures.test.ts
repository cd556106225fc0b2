import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  type Capture,
  type MoneyStep,
  type PaymentState,
  type PaymentEvent,
  transition,
  allowedActions,
} from '#workflows/lifecycle/payment';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { after, authorization, capture, facts, now, payment } from './sample-payments.js';

const request = (minor?: number, final?: boolean): PaymentEvent => ({
  type: 'captureRequested',
  commandId: 'cmd_1',
  ...(minor !== undefined && { minor }),
  ...(final !== undefined && { final }),
});
const answered = (minor: number, details: Partial<Capture> = {}): PaymentEvent => ({
  type: 'captureAnswered',
  capture: capture(minor, details),
});
const voidRequest: PaymentEvent = { type: 'voidRequested', commandId: 'cmd_9' };
const observed = (authorizationState: string, captures: Capture[]): PaymentEvent => ({
  type: 'providerObserved',
  facts: facts({ authorization: { ...authorization, state: authorizationState }, captures }),
});

/** Case 15 of the failure list. */
describe('of 100.00 authorized', () => {
  it('40.00 and then 60.00 are captured, the first one not final', () => {
    const first = after(payment('authorized'), [request(40_00)]);
    expect(stepOf(first)).toMatchObject({ minor: 40_00, final: false });
    const partly = after(first, [answered(40_00)]);
    expect(partly.status).toBe('partially_captured');
    expect(amountsOf(partly)).toEqual({
      authorized: 100_00,
      captured: 40_00,
      pending: 0,
      capturable: 60_00,
      released: 0,
    });

    const second = after(partly, [request(60_00)]);
    expect(stepOf(second)).toMatchObject({ minor: 60_00, final: true });
    const captured = after(second, [answered(60_00, { captureId: 'CAP-2', final: true })]);
    expect(captured).toMatchObject({ status: 'captured', released: false });
    expect(amountsOf(captured)).toEqual({
      authorized: 100_00,
      captured: 100_00,
      pending: 0,
      capturable: 0,
      released: 0,
    });
  });

  it('70.00 stay captured when the rest is released by a void', () => {
    const voided = after(
      payment('authorized'),
      [request(70_00)],
      [answered(70_00)],
      [voidRequest],
      [{ type: 'voidConfirmed' }],
    );
    expect(voided).toMatchObject({ status: 'captured', released: true });
    expect(amountsOf(voided)).toEqual({
      authorized: 100_00,
      captured: 70_00,
      pending: 0,
      capturable: 0,
      released: 30_00,
    });
  });

  it('70.00 stay captured when they were captured as the final part', () => {
    const asked = after(payment('authorized'), [request(70_00, true)]);
    expect(stepOf(asked)).toMatchObject({ minor: 70_00, final: true });
    const captured = after(asked, [answered(70_00, { final: true })]);
    expect(captured).toMatchObject({ status: 'captured', released: true });
    expect(amountsOf(captured)).toMatchObject({ captured: 70_00, capturable: 0 });
  });

  it('the whole rest is captured when no amount is given', () => {
    const rest = after(payment('authorized'), [request(30_00)], [answered(30_00)], [request()]);
    expect(stepOf(rest)).toMatchObject({ minor: 70_00, final: true });
  });

  it.each([100_01, 0, -1])('%i minor units cannot be captured', (minor) => {
    const held = payment('authorized');
    expect(transition(held, request(minor), now)).toEqual({
      kind: 'refused',
      state: held,
      refusal: { code: 'amount_exceeds_capturable', reason: 'At most 100.00 USD can be captured.' },
    });
  });

  it('60.01 cannot be captured after 40.00', () => {
    expect(transition(payment('partially_captured'), request(60_01), now)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'amount_exceeds_capturable' },
    });
  });

  it('nothing is left to capture when more was captured at the provider than it had authorized', () => {
    const over = { ...payment('authorized'), captures: [capture(115_00)] };
    expect(amountsOf(over).capturable).toBe(0);
  });

  it('a capture that the provider denied leaves the whole hold to be captured', () => {
    const denied = after(payment('authorized'), [request(40_00)], [answered(40_00, { status: 'denied' })]);
    expect(denied.status).toBe('authorized');
    expect(amountsOf(denied)).toMatchObject({ captured: 0, capturable: 100_00 });
  });

  it('a final capture of the rest that the provider denied does not end the payment: 60.00 are still held', () => {
    const denied = after(
      payment('partially_captured'),
      [request(60_00, true)],
      [answered(60_00, { captureId: 'CAP-2', status: 'denied', final: true })],
    );
    expect(denied).toMatchObject({ status: 'partially_captured', released: false });
    expect(amountsOf(denied)).toMatchObject({ captured: 40_00, capturable: 60_00, released: 0 });
    expect(allowedActions(denied, now)).toContain('capture');
  });

  it('a capture that a read has shown before its answer came counts once', () => {
    const shown = { ...payment('capturing'), captures: [capture(40_00, { status: 'pending' })] };
    const answeredToo = after(shown, [answered(40_00)]);
    expect(answeredToo).toMatchObject({ status: 'partially_captured', captures: [capture(40_00)] });
    expect(amountsOf(answeredToo)).toMatchObject({ captured: 40_00, pending: 0, capturable: 60_00 });
  });
});

/** Case 16 of the failure list. */
describe('a capture that is still pending at the provider', () => {
  const pending = after(
    payment('authorized'),
    [request()],
    [answered(100_00, { status: 'pending', final: true })],
  );

  it('is not called captured', () => {
    expect(pending.status).toBe('capturing');
    expect(amountsOf(pending)).toEqual({
      authorized: 100_00,
      captured: 0,
      pending: 100_00,
      capturable: 0,
      released: 0,
    });
    expect(allowedActions(pending, now)).toEqual([]);
  });

  it('stays pending while reads show nothing else', () => {
    const shown = observed('captured', [capture(100_00, { status: 'pending', final: true })]);
    expect(transition(pending, shown, now).kind).toBe('stale');
  });

  it('is captured once the provider says completed, days later', () => {
    const shown = observed('captured', [capture(100_00, { final: true })]);
    expect(after(pending, [shown]).status).toBe('captured');
  });

  it('is captured in full even when that is learned after the window, and nothing was released', () => {
    const shown = observed('captured', [capture(100_00, { final: true })]);
    const captured = after(pending, [shown, authorization.validUntil + 1]);
    expect(captured).toMatchObject({ status: 'captured', released: false });
    expect(captured.reason).toBeUndefined();
  });

  it('gives the hold back when the provider denies it, days later', () => {
    const shown = observed('authorized', [capture(100_00, { status: 'denied', final: true })]);
    const held = after(pending, [shown]);
    expect(held.status).toBe('authorized');
    expect(amountsOf(held).capturable).toBe(100_00);
  });

  it('keeps the payment open when its authorization is closed meanwhile', () => {
    const shown = observed('expired', [capture(100_00, { status: 'pending', final: true })]);
    expect(transition(pending, shown, now).kind).toBe('stale');
  });

  it.each([
    ['completed', 'captured', 40_00],
    ['denied', 'voided', 0],
  ] as const)(
    'of a hold that is found voided keeps the payment open until it is %s',
    (status, end, money) => {
      const part = capture(40_00, { status: 'pending' });
      const granted: PaymentEvent = {
        type: 'authorizationGranted',
        providerPaymentId: 'PAY-1',
        authorization,
        ended: { state: 'voided', captures: [part] },
      };
      const waiting = after(payment('authorizing'), [granted]);
      expect(waiting.status).toBe('capturing');
      expect(nextDeadline(waiting)?.event).toEqual({ type: 'pollCameDue' });
      const ended = after(waiting, [observed('voided', [{ ...part, status }])]);
      expect(ended).toMatchObject({ status: end, released: true });
      expect(amountsOf(ended)).toMatchObject({ captured: money, pending: 0, released: 100_00 - money });
    },
  );

  it('waits for the rest when a part of it is completed', () => {
    const partly = after(
      payment('partially_captured'),
      [request()],
      [answered(60_00, { captureId: 'CAP-2', status: 'pending', final: true })],
    );
    expect(partly.status).toBe('capturing');
    expect(amountsOf(partly)).toMatchObject({ captured: 40_00, pending: 60_00, capturable: 0 });
  });
});

/** Case 8 of the failure list, in its pure form: whoever is decided on first wins. */
describe('a capture and a void at the same moment', () => {
  it('refuse the void when the capture was first', () => {
    const capturing = after(payment('authorized'), [request()]);
    expect(transition(capturing, voidRequest, now)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed_in_state', reason: 'A payment that is capturing cannot be voided.' },
    });
  });

  it('refuse the capture when the void was first', () => {
    const voiding = after(payment('authorized'), [voidRequest]);
    expect(transition(voiding, request(), now)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_allowed_in_state', reason: 'A payment that is voiding cannot be captured.' },
    });
  });
});

/** Case 7 of the failure list, in its pure form. */
it('executes once when the payer returns three times and a webhook comes, too', () => {
  const approved: PaymentEvent = { type: 'payerApproved', payerId: 'PAYER-1' };
  const executing = after(payment('awaiting_approval'), [approved]);
  expect(executing.stepsBegun).toBe(2);
  for (const again of [approved, approved, { type: 'providerNotified', eventType: 'PAYMENT' } as const]) {
    expect(transition(executing, again, now).kind).toBe('stale');
  }
});

function stepOf(state: PaymentState): MoneyStep | undefined {
  return state.openStep?.step;
}
