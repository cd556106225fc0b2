import { describe, expect, it } from 'vitest';
import { holdDeadlines, nextDeadline, policyCaptureAt } from '#workflows/lifecycle/payment/deadlines.js';
import type { PaymentOrder, PaymentState } from '#workflows/lifecycle/payment';
import { isPolicyCommand } from '#workflows/lifecycle/payment/policy-commands.js';
import { isOtherAmount } from '#workflows/lifecycle/payment/amounts.js';
import { after, authorization, now, order, orderedAt, payment, dayOfHold, sale } from './sample-payments.js';

const hold = holdDeadlines(authorization);
const at = (n: number): PaymentOrder['capturePolicy'] => ({ mode: 'at', at: dayOfHold(n) });
const honour = { action: 'capture', reauthorize: 'none' } as const;

describe('when a policy captures', () => {
  it.each([
    ['never, where none does', {}, undefined],
    ['at the time that was ordered', { capturePolicy: at(1) }, 1],
    ['within the honour period', { honourPolicy: honour }, 2.5],
    ['at the earlier of both, the ordered one', { capturePolicy: at(1), honourPolicy: honour }, 1],
    ['at the earlier of both, the honour policy’s', { capturePolicy: at(9), honourPolicy: honour }, 2.5],
  ] satisfies [string, Partial<PaymentOrder>, number | undefined][])('is %s', (_what, asked, expected) => {
    const due = policyCaptureAt(payment('authorized', asked), hold);
    expect(due).toBe(expected === undefined ? undefined : dayOfHold(expected));
  });

  it('is over once each has tried', () => {
    const state = payment('authorized', { capturePolicy: at(1), honourPolicy: honour });
    expect(policyCaptureAt({ ...state, orderedCaptureTried: true }, hold)).toBe(dayOfHold(2.5));
    expect(
      policyCaptureAt({ ...state, orderedCaptureTried: true, honourCaptureTried: true }, hold),
    ).toBeUndefined();
  });

  it('the policy’s reauthorization is due at the end of the guarantee', () => {
    const state = payment('authorized', { honourPolicy: { action: 'none', reauthorize: 'once' } });
    expect(nextDeadline(state)).toEqual({ at: dayOfHold(3), event: { type: 'reauthorizationCameDue' } });
  });
});

describe('an approval that does not come', () => {
  const approvalBy = orderedAt + 60_000;
  const waiting = { ...payment('awaiting_approval', { approvalBy }), lastPollAt: now };

  it('times out once, at the instant of the order', () => {
    expect(nextDeadline(waiting)).toEqual({ at: approvalBy, event: { type: 'approvalTimedOut' } });
    const lapsed = after(waiting, [{ type: 'approvalTimedOut' }, approvalBy]);
    expect(nextDeadline(lapsed)?.event.type).toBe('pollCameDue');
  });

  it('does not time out when it is not waited for', () => {
    const executing = { ...payment('authorizing', { approvalBy }), lastPollAt: now };
    expect(nextDeadline(executing)).toBeUndefined();
  });
});

it('the payer’s token is stored with the approval address, and only with one', () => {
  const created = {
    type: 'paymentCreated',
    providerPaymentId: 'PAY-1',
    approvalUrl: 'https://pay.example/',
  } as const;
  expect(after(payment('creating'), [{ ...created, approvalToken: 'EC-1' }]).approvalToken).toBe('EC-1');
  expect(after(payment('creating'), [created])).not.toHaveProperty('approvalToken');
});

it.each([
  { type: 'paymentCreated', providerPaymentId: 'PAY-9', approvalUrl: 'https://pay.example/9' },
  { type: 'authorizationGranted', providerPaymentId: 'PAY-9', authorization },
  { type: 'saleAnswered', providerPaymentId: 'PAY-9', sale },
] as const)('the provider’s id of a payment is kept, whichever answer shows it first: %o', (event) => {
  const { type: _type, ...shown } = event;
  const intent = event.type === 'saleAnswered' ? 'sale' : 'authorize';
  expect(after(payment('creating', { intent }), [event])).toMatchObject(shown);
});

const putOffIn = (rules: Partial<PaymentOrder>) =>
  after(
    payment('authorizing', { capturePolicy: { mode: 'automatic' }, ...rules }),
    [{ type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization }],
    [{ type: 'stepDeferred', retryAt: dayOfHold(28.5) }],
  );
/** The deadlines up to an instant, each taken when it is due. */
const dueUntil = (begun: PaymentState, until: number) => {
  const due: string[] = [];
  let state = begun;
  for (let next = nextDeadline(state); next && next.at <= until; next = nextDeadline(state)) {
    due.push(next.event.type);
    state = after(state, [next.event, next.at]);
  }
  return { due, state };
};

describe('a hold whose automatic capture is put off', () => {
  it('is warned of, and voided by its expiry policy', () => {
    const { due, state } = dueUntil(putOffIn({ rules: 2 }), dayOfHold(27));
    expect(due).toEqual(['honourPeriodNearedEnd', 'honourPeriodEnded', 'captureWindowNearedEnd']);
    expect(state).toMatchObject({ status: 'capturing', warning: 'capture_window_ending' });
    expect(state.openStep).toEqual(putOffIn({ rules: 2 }).openStep);
    expect(dueUntil(state, dayOfHold(28)).state).toMatchObject({
      status: 'voiding',
      settlementTried: true,
      openStep: { phase: 'running', step: { type: 'voidAuthorization', commandId: 'pay_1:expiry-policy' } },
    });
  });

  it('gets no other capture by a policy, and nothing else, until its own is due', () => {
    const policies = { honourPolicy: honour, expiryPolicy: { action: 'expire' } } as const;
    const { due, state } = dueUntil(putOffIn({ rules: 2, ...policies }), dayOfHold(28.5));
    expect(due).toEqual([
      'honourPeriodNearedEnd',
      'honourPeriodEnded',
      'captureWindowNearedEnd',
      'stepCameDue',
    ]);
    expect(state.openStep).toMatchObject({ phase: 'running', step: { commandId: 'pay_1:capture-policy' } });
  });

  it('is not captured by an expiry policy that comes after the window, nor asked about it again', () => {
    const { state } = dueUntil(putOffIn({ rules: 2, expiryPolicy: { action: 'capture' } }), dayOfHold(27));
    const late = after(state, [{ type: 'settlementCameDue' }, authorization.validUntil]);
    expect(late).toEqual({ ...state, settlementTried: true });
    expect(nextDeadline(late)).toEqual({ at: dayOfHold(28.5), event: { type: 'stepCameDue' } });
  });

  it('waits for its capture in an older order', () => {
    expect(nextDeadline(putOffIn({}))?.event.type).toBe('stepCameDue');
  });
});

describe('a command of a policy', () => {
  it.each(['pay_1:capture-policy', 'pay_1:honour-policy', 'pay_1:honour-policy-2', 'pay_1:expiry-policy'])(
    'has its own name, whichever attempt it is: %s',
    (commandId) => {
      expect(isPolicyCommand(order(), commandId)).toBe(true);
    },
  );

  it.each(['cmd_1', 'pay_2:capture-policy'])('is not one that a caller asked for: %s', (commandId) => {
    expect(isPolicyCommand(order(), commandId)).toBe(false);
  });

  it('captures the rest of a hold whose window ends as the final part', () => {
    const partly = payment('partially_captured', { expiryPolicy: { action: 'capture' } });
    const over = {
      ...partly,
      isHeldAmountAccepted: true,
      authorization: { ...authorization, minor: 120_00 },
    };
    expect(after(over, [{ type: 'settlementCameDue' }, dayOfHold(28)]).openStep?.step).toMatchObject({
      commandId: 'pay_1:expiry-policy',
      minor: 60_00,
      final: true,
    });
  });
});

it('a void needs no reason, and gives none', () => {
  expect(after(payment('voiding'), [{ type: 'voidConfirmed' }])).not.toHaveProperty('reason');
});

it('a payment without a hold holds no other amount than was ordered', () => {
  expect(isOtherAmount(payment('awaiting_approval'))).toBe(false);
});

it('a hold that is granted after the time for approval has passed is not forgotten: it has its own deadlines', () => {
  const late = { ...payment('authorizing'), lapsed: true };
  const granted = { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization } as const;
  const held = after(late, [granted]);
  expect(held).toMatchObject({ status: 'authorized', lapsed: false });
  expect(nextDeadline(held)?.event.type).toBe('honourPeriodNearedEnd');
});
