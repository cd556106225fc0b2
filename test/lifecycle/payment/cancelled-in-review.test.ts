import { describe, expect, it } from 'vitest';
import {
  type PaymentEvent,
  type PaymentOrder,
  type PaymentState,
  isSale,
  transition,
} from '#workflows/lifecycle/payment';
import { advance } from '#workflows/lifecycle/payment/lifecycle.js';
import { after, authorization, facts, inDoubt, now, payment, sale, second } from './sample-payments.js';

const cancelled: PaymentEvent = { type: 'payerCancelled' };
const approved: PaymentEvent = { type: 'payerApproved', payerId: 'P-1' };
const due: PaymentEvent = { type: 'stepCameDue' };
const decidedUndone: PaymentEvent = { type: 'stepDecidedUndone', reason: 'An operator has decided so.' };

/** Its execution was sent, no lookup has shown what became of it, and an operator is asked. */
function reviewed(asked: Partial<PaymentOrder> = {}): PaymentState {
  const begun = after(payment('awaiting_approval', { rules: 2, ...asked }), [approved]);
  return after(inDoubt(begun), [{ type: 'reviewCameDue' }]);
}

function done({ order }: PaymentState): PaymentEvent {
  const providerPaymentId = 'PAY-1';
  return isSale(order)
    ? { type: 'saleAnswered', providerPaymentId, sale }
    : { type: 'authorizationGranted', providerPaymentId, authorization };
}

function shown(more: object): PaymentEvent {
  return { type: 'providerObserved', facts: { paymentState: 'approved', captures: [], ...more } };
}

describe.each(['authorize', 'sale'] as const)('a payer who cancels during the review: %s', (intent) => {
  const waiting = after(reviewed({ intent }), [cancelled]);

  it('leaves the payment under review, and is told in its timeline', () => {
    expect(waiting).toEqual({ ...reviewed({ intent }), isCancelWaiting: true });
    expect(advance({ state: reviewed({ intent }), version: 3 }, cancelled, now).entry).toMatchObject({
      event: 'payerCancelled',
      from: 'needs_review',
      to: 'needs_review',
    });
    expect(transition(waiting, cancelled, now).kind).toBe('stale');
    expect(transition(waiting, due, now)).toMatchObject({ effect: { type: 'lookUp' }, state: waiting });
  });

  it.each([
    ['is proved undone', { type: 'stepProvedUndone' }],
    ['is put off', { type: 'stepDeferred', retryAt: now + second }],
    ['lacks an approval', { type: 'approvalFoundMissing' }],
    ['is decided undone', decidedUndone],
  ] as const)('ends it as cancelled, and nothing is sent, if the execution %s', (_what, event) => {
    const taken = transition(waiting, event, now);
    expect(taken).toEqual({ kind: 'moved', state: taken.state });
    expect(taken.state).toMatchObject({ status: 'cancelled', reason: 'The payer cancelled.' });
    expect(taken.state).not.toHaveProperty('openStep');
  });

  it('comes too late if it was executed, whoever shows that, and is refused if the provider refuses', () => {
    const held = after(waiting, [done(waiting)]);
    expect(held.status).toBe(intent === 'sale' ? 'completed' : 'authorized');
    expect(held).not.toHaveProperty('isCancelWaiting');
    expect(after(waiting, [{ type: 'stepDeclined', reason: 'no' }]).status).toBe('declined');
  });

  it('is not overtaken by a read of the payment: the lookup shows what became of its execution', () => {
    const read = shown(intent === 'sale' ? { sale } : { authorization: facts().authorization });
    expect(transition(waiting, read, now)).toEqual({ kind: 'stale', state: waiting });
  });

  it('has the execution tried again if they approve after it', () => {
    const again = after(waiting, [approved]);
    expect(again).toEqual(reviewed({ intent }));
    expect(transition(again, { type: 'stepProvedUndone' }, now)).toMatchObject({
      effect: { type: 'perform', step: { type: 'executePayment' } },
    });
    expect(after(again, [decidedUndone]).status).toBe('declined');
  });
});

it('an order service cannot cancel what is under review, nor a payer what was ordered before, or is about something else', () => {
  expect(transition(reviewed(), { type: 'cancelRequested', commandId: 'cmd_9' }, now).kind).toBe('refused');
  const { rules: _new, ...older } = reviewed().order;
  const others = [{ ...reviewed(), order: older }, payment('needs_review', { rules: 2 })];
  for (const state of others)
    for (const event of [cancelled, approved])
      expect(transition(state, event, now)).toEqual({ kind: 'stale', state });
});

describe('a payment whose execution was answered without a result after its payer had cancelled', () => {
  const created: PaymentEvent = {
    type: 'paymentCreated',
    providerPaymentId: 'PAY-1',
    approvalUrl: 'https://x',
  };

  it.each(['authorize', 'sale'] as const)(
    'is cancelled by a read that shows the earlier approval and no more, and by none that shows less: %s',
    (intent) => {
      const left = after(reviewed({ intent }), [cancelled], [created]);
      expect(left.status).toBe('awaiting_approval');
      expect(transition(left, shown({ paymentState: 'created' }), now)).toEqual({
        kind: 'stale',
        state: left,
      });
      const taken = transition(left, shown({ payerId: 'P-1' }), now);
      expect(taken).toEqual({ kind: 'moved', state: taken.state });
      expect(taken.state).toMatchObject({ status: 'cancelled', reason: 'The payer cancelled.' });
      expect(after(left, [approved]).openStep).toMatchObject({ step: { type: 'executePayment' } });
    },
  );

  it('is what a read shows of it', () => {
    const held = after(
      reviewed(),
      [cancelled],
      [created],
      [shown({ authorization: facts().authorization, payerId: 'P-1' })],
    );
    expect(held.status).toBe('authorized');
    expect(held).not.toHaveProperty('isCancelWaiting');
    const sold = after(reviewed({ intent: 'sale' }), [cancelled], [created], [shown({ sale })]);
    expect(sold.status).toBe('completed');
    expect(sold).not.toHaveProperty('isCancelWaiting');
  });
});
