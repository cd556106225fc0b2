import { expect, it } from 'vitest';
import { type Capture, type PaymentEvent, allowedActions } from '#workflows/lifecycle/payment';
import { after, authorization, capture, day, facts, now, payment } from './sample-payments.js';

const request = (minor?: number): PaymentEvent => ({
  type: 'captureRequested',
  commandId: 'cmd_1',
  ...(minor !== undefined && { minor, final: false }),
});
const answered = (minor: number, details: Partial<Capture> = {}): PaymentEvent => ({
  type: 'captureAnswered',
  capture: capture(minor, details),
});
const pending = { status: 'pending' } as const;

it('one cent is captured, and stays captured when the rest is released', () => {
  const captured = after(payment('authorized'), [request(1)], [answered(1)]);
  expect(captured.status).toBe('partially_captured');
  const voided = after(
    captured,
    [{ type: 'voidRequested', commandId: 'cmd_9' }],
    [{ type: 'voidConfirmed' }],
  );
  expect(voided).toMatchObject({ status: 'captured', released: true });
  const refused = after(captured, [request(2)], [{ type: 'stepDeclined', reason: 'No.' }]);
  expect(refused.status).toBe('partially_captured');
});

it('one cent that is left of a hold is captured, also beside a pending capture', () => {
  const left = after(payment('authorized'), [request(99_99)], [answered(99_99)]);
  expect(after(left, [request()]).openStep).toMatchObject({ step: { minor: 1, final: true } });
  const beside = after(
    payment('authorized', { holdsRest: true }),
    [request(99_99)],
    [answered(99_99, pending)],
  );
  expect(allowedActions(beside, now)).toContain('capture');
});

it('a hold of one cent is captured as a whole', () => {
  const ordered = payment('authorized', { amount: { minor: 1, currency: 'USD' } });
  const held = { ...ordered, authorization: { ...authorization, minor: 1 } };
  expect(after(held, [request()], [answered(1)])).toMatchObject({ status: 'captured', released: false });
});

it('one cent that is pending keeps the payment open when its hold has ended', () => {
  const asked = after(payment('authorized', { holdsRest: true }), [request(1)], [answered(1, pending)]);
  expect(asked.status).toBe('capturing');
  const shown = facts({
    authorization: { ...authorization, state: 'voided' },
    captures: [capture(1, pending)],
  });
  expect(after(asked, [{ type: 'providerObserved', facts: shown }])).toMatchObject({
    status: 'capturing',
    holdEnd: 'voided',
  });
});

it('a hold that has ended before it was known stays open for one cent that is pending', () => {
  const held = after(payment('authorizing', { holdsRest: true }), [
    {
      type: 'authorizationGranted',
      providerPaymentId: 'PAY-1',
      authorization,
      ended: { state: 'voided', captures: [capture(1, pending)] },
    },
  ]);
  expect(held).toMatchObject({ status: 'capturing', holdEnd: 'voided' });
});

it('a capture at the end of the window is not final beside one cent that is pending', () => {
  const beside = after(
    payment('authorized', { holdsRest: true, expiryPolicy: { action: 'capture' } }),
    [request(1)],
    [answered(1, pending)],
    [{ type: 'settlementCameDue' }],
  );
  expect(beside.openStep).toMatchObject({ step: { minor: 99_99, final: false } });
});

it('one cent is reauthorized', () => {
  const asked: PaymentEvent = { type: 'reauthorizeRequested', commandId: 'cmd_2', minor: 1 };
  const begun = after(payment('authorized'), [asked, authorization.createdAt + 4 * day]);
  expect(begun.openStep).toMatchObject({ step: { minor: 1 } });
});
