import { expect, it } from 'vitest';
import { OtherActions } from '#api/console/actions/other-actions.js';
import { PaymentActions } from '#api/console/actions/payment-actions.js';
import type { MoneyStep, PaymentState } from '#workflows/lifecycle/payment';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { captureStep, now, payment, reauthorizeStep } from '../lifecycle/payment/sample-payments.js';
import {
  cancellation,
  creation,
  day,
  inDoubt,
  now as orderedAt,
  payout,
} from '../lifecycle/payout/sample-payouts.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';

const payments = new PaymentActions(undefined as never, undefined as never);
const others = new OtherActions(
  undefined as never,
  undefined as never,
  undefined as never,
  undefined as never,
);

/** The fields of the form in which an operator decides a review. */
function fieldsOf(actions: ReturnType<typeof payments.of>): string[] {
  const decide = actions.find(({ name }) => name === 'decide');
  return decide?.fields.map(({ name }) => name) ?? [];
}

function reviewed(step: MoneyStep): PaymentState {
  return { ...payment('authorized'), status: 'needs_review', openStep: runningStep(3, step, now) };
}

const execution: MoneyStep = { type: 'executePayment', payerId: 'PAYER-1' };
const heldForMore = {
  ...payment('authorized'),
  status: 'needs_review' as const,
  authorization: { ...payment('authorized').authorization!, minor: 90_00 },
};
const unseen = { ...payment('authorized'), status: 'needs_review' as const, lapsed: true };

it.each([
  ['a capture', reviewed(captureStep), true],
  ['a void', reviewed({ type: 'voidAuthorization', commandId: 'cmd_2' }), true],
  ['a reauthorization', reviewed(reauthorizeStep), true],
  ['a capture that nobody shows', unseen, true],
  ['a creation', reviewed({ type: 'createPayment' }), false],
  ['an execution', reviewed(execution), false],
  ['another amount', heldForMore, false],
])('a payment’s form takes an operator’s word only where it can count: %s', (_, state, isTaken) => {
  const fields = fieldsOf(payments.of({ id: 'pay_1', state }, now));
  expect(fields).toEqual(['decision', 'resourceId', ...(isTaken ? ['isUnverified'] : [])]);
});

it.each([
  ['suspendAgreement', true],
  ['executeAgreement', false],
] as const)('a subscription’s form takes it only where it can count: %s', (type, isTaken) => {
  const openStep = runningStep(2, { type, commandId: 'cmd_2' }, now);
  const state = {
    ...subscription('active'),
    status: 'needs_review',
    openStep,
  } as unknown as SubscriptionState;
  expect(fieldsOf(others.ofSubscription({ id: 'sub_1', state }, now)).includes('isUnverified')).toBe(isTaken);
});

it.each([
  ['a creation that can be repeated', creation, orderedAt, false],
  ['a creation after 30 days', creation, orderedAt + 30 * day, true],
  ['a cancellation of an item', cancellation, orderedAt, true],
])('a payout’s form takes it only where it can count: %s', (_, step, at, isTaken) => {
  const state = payout('needs_review', { openStep: inDoubt(step) });
  const actions = others.ofPayout({ id: 'po_1', state, totals: {} }, at);
  expect(fieldsOf(actions).includes('isUnverified')).toBe(isTaken);
});
