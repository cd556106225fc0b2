import { describe, expect, it } from 'vitest';
import { lookBeforeRefusal } from '#workflows/lifecycle/payment/look-before-refusal.js';
import {
  type OpenStep,
  type PaymentState,
  orderedPayment,
  type PaymentEvent,
} from '#workflows/lifecycle/payment';
import { authorization, now, order, orderedAt } from './sample-payments.js';

const capture: PaymentEvent = { type: 'captureRequested', commandId: 'cmd_1' };
const approval: PaymentEvent = { type: 'payerApproved', payerId: 'PAYER' };

const doubt: OpenStep = {
  number: 1,
  step: { type: 'createPayment' },
  phase: 'doubt',
  attempts: 0,
  looks: 0,
  since: orderedAt,
  horizonAt: orderedAt + 1_000,
  nextAt: orderedAt + 500,
};
const creating: PaymentState = { ...orderedPayment(order(), orderedAt), openStep: doubt };
const lookUp = { type: 'lookUp', step: doubt.step, horizonAt: doubt.horizonAt };
const { openStep: _none, ...settled } = creating;

describe('a request that does not fit the state which the run knows', () => {
  it('makes the run look up a creation in doubt first', () => {
    expect(lookBeforeRefusal(creating, capture, now)).toEqual(lookUp);
  });

  it('makes the run read the payment first when nothing is in doubt', () => {
    const waiting: PaymentState = { ...settled, status: 'awaiting_approval' };
    expect(lookBeforeRefusal(waiting, capture, now)).toEqual({ type: 'observe' });
  });

  it('makes the run look up a creation in doubt also when the payer returns, because the payer saw the payment', () => {
    expect(lookBeforeRefusal(creating, approval, now)).toEqual(lookUp);
  });

  it('causes no lookup while the step waits for its repeat', () => {
    const retrying: PaymentState = { ...creating, openStep: { ...doubt, phase: 'retry' } };
    expect(lookBeforeRefusal(retrying, capture, now)).toBeUndefined();
  });

  it('is refused at once when the payment has ended', () => {
    expect(lookBeforeRefusal({ ...settled, status: 'voided' }, capture, now)).toBeUndefined();
  });
});

describe('a request that fits the state', () => {
  it('is accepted without a read', () => {
    const held: PaymentState = { ...settled, status: 'authorized', authorization };
    expect(lookBeforeRefusal(held, capture, now)).toBeUndefined();
  });

  it('is no webhook and no deadline: those are never refused', () => {
    expect(lookBeforeRefusal(creating, { type: 'pollCameDue' }, now)).toBeUndefined();
  });

  it('is no second return of the payer while the execution is in doubt', () => {
    const executing: PaymentState = {
      ...creating,
      status: 'authorizing',
      openStep: { ...doubt, step: { type: 'executePayment', payerId: 'PAYER' } },
    };
    expect(lookBeforeRefusal(executing, approval, now)).toBeUndefined();
  });
});
