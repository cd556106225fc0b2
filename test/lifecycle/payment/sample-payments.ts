import type { Instant, WaitPolicy } from '#workflows/lifecycle';
import { runningStep } from '#workflows/lifecycle/step/open-step.js';
import {
  type Authorization,
  type Capture,
  type MoneyStep,
  type PaymentOrder,
  type PaymentState,
  type PaymentStatus,
  type ProviderFacts,
  type Sale,
  orderedPayment,
} from '#workflows/lifecycle/payment/payment.js';
import { type PaymentEvent, transition } from '#workflows/lifecycle/payment';

export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;

export const orderedAt: Instant = Date.UTC(2026, 0, 1);
/** Some time after every sample payment got where it stands. */
export const now: Instant = orderedAt + 2 * hour;

export const patience: WaitPolicy = {
  outcomeHorizonMs: 120 * second,
  firstLookMs: 2 * second,
  firstRetryMs: second,
  firstPollMs: 60 * second,
  longestPollMs: hour,
  maxAttempts: 8,
  reviewAfterMs: 15 * 60 * second,
};

export function order(asked: Partial<PaymentOrder> = {}): PaymentOrder {
  return {
    paymentId: 'pay_1',
    amount: { minor: 100_00, currency: 'USD' },
    capturePolicy: { mode: 'manual' },
    expiryPolicy: { action: 'void' },
    approvalBy: orderedAt + 3 * hour,
    patience,
    ...asked,
  };
}

export const authorization: Authorization = {
  authorizationId: 'AUTH-1',
  minor: 100_00,
  createdAt: orderedAt + hour,
  validUntil: orderedAt + hour + 29 * day,
};

export const dayOfHold = (n: number) => authorization.createdAt + n * day;

/** As the provider answers a reauthorization under a new id. */
export const reauthorizedAuthorization: Authorization = {
  authorizationId: 'AUTH-2',
  minor: 60_00,
  createdAt: now,
  validUntil: authorization.validUntil,
};

export const sale: Sale = { saleId: 'SALE-1', minor: 100_00, status: 'completed' };

export function capture(minor: number, details: Partial<Capture> = {}): Capture {
  return { captureId: 'CAP-1', commandId: 'cmd_1', minor, status: 'completed', final: false, ...details };
}

/** What the provider shows of the sample hold. */
export function facts(shown: Partial<ProviderFacts> = {}): ProviderFacts {
  return {
    paymentState: 'approved',
    authorization: { ...authorization, state: 'authorized' },
    captures: [],
    ...shown,
  };
}

export const captureStep: MoneyStep = {
  type: 'captureAuthorization',
  commandId: 'cmd_2',
  minor: 60_00,
  final: true,
};

export const reauthorizeStep: MoneyStep = {
  type: 'reauthorizeAuthorization',
  commandId: 'cmd_2',
  minor: 60_00,
};

/** The same payment wherever it may stand, for the order that was asked. */
export function payment(status: PaymentStatus, asked: Partial<PaymentOrder> = {}): PaymentState {
  const ordered = orderedPayment(order(asked), orderedAt);
  const created = {
    ...settled(ordered),
    providerPaymentId: 'PAY-1',
    approvalUrl: 'https://pay.example/?token=EC-1',
  };
  const held = { ...created, authorization, stepsBegun: 2 };
  const partly = { ...held, captures: [capture(40_00)], stepsBegun: 3 };
  // Only a sale gets to its statuses.
  const sold: PaymentState = { ...created, order: { ...created.order, intent: 'sale' } };
  const states: Record<PaymentStatus, PaymentState> = {
    creating: ordered,
    awaiting_approval: created,
    authorizing: performing(created, { type: 'executePayment', payerId: 'PAYER-1' }),
    authorized: held,
    capturing: performing(partly, captureStep),
    partially_captured: partly,
    captured: { ...held, captures: [capture(100_00, { final: true })] },
    voiding: performing(held, { type: 'voidAuthorization', commandId: 'cmd_2' }),
    voided: { ...held, released: true },
    reauthorizing: performing(partly, reauthorizeStep),
    executing: performing(sold, { type: 'executePayment', payerId: 'PAYER-1' }),
    pending: { ...sold, sale: { ...sale, status: 'pending' }, stepsBegun: 2 },
    completed: { ...sold, sale, stepsBegun: 2 },
    declined: created,
    cancelled: created,
    expired: created,
    needs_review: inDoubt(performing(partly, captureStep)),
  };
  return { ...states[status], status };
}

export function performing(state: PaymentState, step: MoneyStep): PaymentState {
  const stepsBegun = state.stepsBegun + 1;
  return { ...state, stepsBegun, openStep: runningStep(stepsBegun, step, now) };
}

/** The open step's POST was sent and nobody knows what came of it. */
export function inDoubt(state: PaymentState): PaymentState {
  const nextAt = now + patience.firstLookMs;
  const horizonAt = now + patience.outcomeHorizonMs;
  return state.openStep
    ? { ...state, openStep: { ...state.openStep, phase: 'doubt', horizonAt, nextAt } }
    : state;
}

/** The open step's POST certainly did nothing and is to be repeated. */
export function toBeRepeated(state: PaymentState): PaymentState {
  return state.openStep
    ? { ...state, openStep: { ...state.openStep, phase: 'retry', attempts: 1, nextAt: now + second } }
    : state;
}

export function settled(state: PaymentState): PaymentState {
  const { openStep: _open, ...rest } = state;
  return rest;
}

/** The state after a series of events, each of which must be taken. */
export function after(
  state: PaymentState,
  ...events: readonly (readonly [PaymentEvent, Instant?])[]
): PaymentState {
  return events.reduce((before, [event, at = now]) => {
    const result = transition(before, event, at);
    if (result.kind !== 'moved') throw new Error(`${event.type} was ${result.kind} in ${before.status}`);
    return result.state;
  }, state);
}
