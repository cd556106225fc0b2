import { describe, expect, it } from 'vitest';
import {
  UnreadableAnswerError,
  eventOfPayment,
  factsOf,
  isProviderTrouble,
  reauthorizationOf,
} from '#worker/provider/provider-facts.js';
import type { Authorization, Payment } from '#payments-client';
import { lookUpMoneyStep } from '#worker/payments/look-up-money-step.js';
import type { ActivityContext } from '#worker/steps/activities/context.js';
import type { StepInput } from '#workflows/contract';
import { type PaymentOrder, amountsOf, transition } from '#workflows/lifecycle/payment';
import { usd } from '../helpers/usd.js';
import { authorization, now, payment } from '../lifecycle/payment/sample-payments.js';

const declined = (failureReason: string): Payment => ({
  id: 'PAY-1',
  state: 'failed',
  intent: 'authorize',
  approvalUrl: undefined,
  payerId: undefined,
  payerStatus: undefined,
  failureReason,
  transactions: [],
  createTime: undefined,
  updateTime: undefined,
});

describe('why a payment was declined', () => {
  it('is given by its code', () => {
    expect(eventOfPayment(declined('INSTRUMENT_DECLINED'), 'USD', 'pay_1')).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (INSTRUMENT_DECLINED).',
    });
  });

  it('is not given in the provider’s prose, which may name the payer', () => {
    expect(eventOfPayment(declined('card of jane@example.com was refused'), 'USD', 'pay_1')).toEqual({
      type: 'stepDeclined',
      reason: 'The provider declined the payment (no reason given).',
    });
  });
});

describe('an amount in another currency than was ordered', () => {
  it('counts as an unreadable answer, never as minor units of ours', () => {
    const authorization = {
      id: 'AUTH-1',
      state: 'authorized',
      amount: { value: '100', currency: 'JPY' },
      paymentId: 'PAY-1',
      reasonCode: undefined,
      validUntil: '2030-01-30T00:00:00Z',
      createTime: '2030-01-01T00:00:00Z',
      updateTime: undefined,
    } as const;
    const transaction = {
      amount: undefined,
      invoiceNumber: undefined,
      custom: undefined,
      authorizationId: 'AUTH-1',
      saleId: undefined,
      authorizations: [authorization],
      captures: [],
      sales: [],
      refunds: [],
    };
    const held: Payment = { ...declined(''), state: 'approved', transactions: [transaction] };
    expect(() => eventOfPayment(held, 'USD', 'pay_1')).toThrow(UnreadableAnswerError);
    expect(eventOfPayment(held, 'JPY', 'pay_1')).toMatchObject({ authorization: { minor: 100 } });
    const timeless = {
      ...transaction,
      authorizations: [{ ...authorization, validUntil: '1970-01-01T00:00:00Z' }],
    };
    // Its deadlines would be over: it is read again.
    expect(() => eventOfPayment({ ...held, transactions: [timeless] }, 'JPY', 'pay_1')).toThrow(
      UnreadableAnswerError,
    );
  });
});

describe('a hold of which somebody has captured a part before we know it', () => {
  const part = { captureId: 'CAP-1', minor: 40_00, final: false, authorizationId: 'AUTH-1' };
  const held = (state: 'completed' | 'pending', capturePolicy: PaymentOrder['capturePolicy']) => {
    const { order } = payment('authorizing', { capturePolicy, holdsRest: true });
    const found = eventOfPayment(capturedInPart(state), order.amount.currency, order.paymentId);
    expect(found).toMatchObject({ captures: [{ ...part, status: state }] });
    const granted = transition(payment('authorizing', { capturePolicy, holdsRest: true }), found, now);
    return { ...granted, amounts: amountsOf(granted.state) };
  };

  it('has this part', () => {
    const { state, amounts } = held('completed', { mode: 'manual' });
    expect(state.status).toBe('partially_captured');
    expect(amounts).toMatchObject({ captured: 40_00, capturable: 60_00 });
  });

  it('has its rest captured by an automatic policy', () => {
    for (const state of ['completed', 'pending'] as const)
      expect(held(state, { mode: 'automatic' })).toMatchObject({
        effect: { type: 'perform', step: { type: 'captureAuthorization', minor: 60_00 } },
      });
  });

  it('does not have what a worker of ours has captured before it lost its task: the step finds it', () => {
    const { transactions, ...shown } = capturedInPart('completed');
    const [transaction] = transactions;
    const captures =
      transaction?.captures.map((made) => ({ ...made, invoiceNumber: 'pay_1-0a1b2c3d' })) ?? [];
    const found = { ...shown, transactions: [{ ...transaction, captures }] } as Payment;
    expect(eventOfPayment(found, 'USD', 'pay_1')).not.toHaveProperty('captures');
  });

  it('has it, too, if a read shows the hold', () => {
    const awaiting = payment('awaiting_approval', { holdsRest: true });
    const seen = factsOf(capturedInPart('completed'), awaiting.order.amount.currency);
    const { state } = transition(awaiting, { type: 'providerObserved', facts: seen }, now);
    expect(amountsOf(state)).toMatchObject({ captured: 40_00, capturable: 60_00 });
  });
});

describe('a hold without the instant at which it was made', () => {
  it('is not found by such an answer, which would count its days from now: it is looked up or read again', () => {
    for (const state of ['authorized', 'partially_captured', 'captured']) {
      expect(() => eventOfPayment(timeless(state), 'USD', 'pay_1')).toThrow(UnreadableAnswerError);
      expect(() => factsOf(timeless(state), 'USD')).toThrow(UnreadableAnswerError);
    }
  });

  it('keeps the days of its first answer once it is known, and its reads still show what becomes of it', () => {
    const { authorization: read } = factsOf(timeless('partially_captured'), 'USD', authorization);
    expect(read).toEqual({ ...authorization, state: 'partially_captured' });
  });

  it('is not taken for the known one under another id', () => {
    const known = { ...authorization, authorizationId: 'AUTH-0' };
    expect(() => factsOf(timeless('authorized'), 'USD', known)).toThrow(UnreadableAnswerError);
    expect(() => reauthorizationOf(holdIn(timeless('authorized')), known, 'USD')).toThrow(
      UnreadableAnswerError,
    );
  });

  it('shows the outcome of a step all the same if a lookup finds it so', async () => {
    const client = { payments: { get: async () => timeless('authorized') } };
    const context = { providers: { for: () => client } } as unknown as ActivityContext;
    for (const status of ['capturing', 'voiding', 'reauthorizing'] as const) {
      const state = { ...payment(status), captures: [] };
      const input = { identity: { paymentId: 'pay_1' }, state, version: 4 } as unknown as StepInput;
      await expect(lookUpMoneyStep(context, input, state.openStep!, [], false)).resolves.toBeDefined();
    }
  });

  it('is held from its last change on if its reauthorization kept its id, and else from its beginning', () => {
    const answer = holdIn(timeless('authorized'));
    const updateTime = new Date(now).toISOString();
    const createTime = new Date(now - 1_000).toISOString();
    expect(reauthorizationOf({ ...answer, updateTime }, authorization, 'USD')).toEqual({
      type: 'authorizationRenewed',
      authorization,
      heldAt: now,
    });
    const renewed = { ...answer, id: 'AUTH-2', createTime, updateTime };
    expect(reauthorizationOf(renewed, authorization, 'USD')).toMatchObject({ heldAt: now - 1_000 });
  });

  it('can be ended: no deadline depends on the instant', () => {
    expect(eventOfPayment(timeless('voided'), 'USD', 'pay_1')).toMatchObject({ ended: { state: 'voided' } });
  });
});

describe('a read that exceeds its limit', () => {
  it('is a failure of the provider, and is repeated', async () => {
    const { reason } = AbortSignal.abort(new DOMException('too slow', 'TimeoutError'));
    expect(isProviderTrouble(reason)).toBe(true);
    expect(isProviderTrouble(new TypeError('a bug'))).toBe(false);
  });
});

function capturedInPart(state: 'completed' | 'pending'): Payment {
  const capture = {
    id: 'CAP-1',
    state,
    amount: usd('40.00'),
    isFinalCapture: false,
    authorizationId: 'AUTH-1',
  };
  const instants = {
    validUntil: new Date(authorization.validUntil).toISOString(),
    createTime: new Date(authorization.createdAt).toISOString(),
  };
  return shownHold({ state: 'partially_captured', ...instants }, [capture]);
}

function timeless(state: string): Payment {
  return shownHold({
    state,
    createTime: undefined,
    validUntil: new Date(authorization.validUntil).toISOString(),
  });
}

function shownHold(hold: object, captures: readonly object[] = []): Payment {
  const authorizations = [{ id: 'AUTH-1', amount: usd('100.00'), ...hold }];
  const transaction = { authorizations, captures, sales: [], refunds: [] };
  return { ...declined(''), state: 'approved', transactions: [transaction as never] };
}

function holdIn({ transactions }: Payment): Authorization {
  return transactions[0]!.authorizations[0]!;
}
