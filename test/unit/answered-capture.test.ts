import { describe, expect, it } from 'vitest';
import type { Capture } from '#payments-client';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { answeredCapture } from '#worker/payments/answered-capture.js';
import { UnreadableAnswerError } from '#worker/provider/provider-facts.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { held } from '../lifecycle/payment/sample-reauthorizations.js';

const state: PaymentState = { ...payment('capturing'), captures: [] };
const { providerPaymentId, authorization } = state;
const reference = 'pay_1-11111111';

const made: Capture = {
  id: 'CAP-1',
  state: 'completed',
  amount: { value: '40.0', currency: 'USD' },
  isFinalCapture: undefined,
  paymentId: providerPaymentId,
  authorizationId: authorization?.authorizationId,
  invoiceNumber: reference,
  custom: undefined,
  reasonCode: undefined,
  createTime: undefined,
  updateTime: undefined,
};
const answered = (change: Partial<Capture>, of = state) =>
  answeredCapture({ ...made, ...change }, of, { minor: 4_000, reference });

describe('the answer to a capture', () => {
  it('is believed if it is about the requested one', () => {
    expect(answered({})).toMatchObject({ captureId: 'CAP-1', minor: 4_000, status: 'completed' });
  });

  it.each<[string, Partial<Capture>]>([
    ['amount', { amount: { value: '40.01', currency: 'USD' } }],
    ['currency', { amount: { value: '40.00', currency: 'EUR' } }],
    ['payment', { paymentId: 'PAY-OF-ANOTHER' }],
    ['hold', { authorizationId: 'AUTH-OF-ANOTHER' }],
    ['reference', { invoiceNumber: 'pay_1-22222222' }],
  ])('shows nothing if its %s is another one', (_, change) => {
    expect(() => answered(change)).toThrow(UnreadableAnswerError);
  });

  it('is believed if it leaves out what it belongs to', () => {
    const change = { paymentId: undefined, authorizationId: undefined, invoiceNumber: undefined };
    expect(answered(change)).toMatchObject({ captureId: 'CAP-1' });
  });

  it('shows nothing if its capture was on record before the call: it is another one', () => {
    const capture = { captureId: 'CAP-1', minor: 4_000, status: 'completed', final: false } as const;
    const known = { ...state, captures: [{ ...capture, commandId: 'cmd_of_another' }] };
    expect(() => answered({ invoiceNumber: undefined }, known)).toThrow(UnreadableAnswerError);
  });

  it('is believed if it names a hold that was reauthorized since', () => {
    const earlier = [{ authorizationId: 'AUTH-0', minor: 10_000 }];
    const reauthorized = { ...held(), reauthorizations: { earlier, tries: 0, failures: 0 } };
    const change = { authorizationId: 'AUTH-0', paymentId: reauthorized.providerPaymentId };
    expect(answered(change, reauthorized)).toMatchObject({ authorizationId: 'AUTH-0' });
  });
});
