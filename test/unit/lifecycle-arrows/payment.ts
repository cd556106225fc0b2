import {
  type Capture,
  amountsOf,
  type PaymentState,
  type PaymentEvent,
  orderedPayment,
  rulesOfNewOrders,
  transition,
} from '#workflows/lifecycle/payment';
import { sampleEvents } from '../../lifecycle/payment/sample-events.js';
import {
  authorization,
  capture,
  day,
  facts,
  now,
  order,
  orderedAt,
  patience,
  sale,
} from '../../lifecycle/payment/sample-payments.js';
import type { Explored } from './explore.js';

const impatient = { ...patience, maxAttempts: 2 };

/** Within the honour period, after it, and when the provider should have ended the hold. */
const instants = [now, now + 4 * day, now + 31 * day];

const otherAmount = { ...authorization, minor: 120_00 };
const captures = [
  [],
  [madeElsewhere(40_00)],
  [madeElsewhere(40_00, { status: 'pending' })],
  [madeElsewhere(40_00, { status: 'denied' })],
  [madeElsewhere(100_00, { final: true })],
] as const;
const holdStates = ['authorized', 'captured', 'voided', 'denied', 'expired'] as const;

const alike: PaymentEvent[] = Object.values(sampleEvents).filter(
  ({ type }) =>
    !['authorizationGranted', 'saleAnswered', 'captureAnswered', 'providerObserved'].includes(type),
);
const decisions: PaymentEvent[] = (['happened', 'did_not_happen', 'void', 'keep'] as const).map(
  (decision) => ({
    ...sampleEvents.reviewDecided,
    decision,
  }),
);
const waitingForPayer: PaymentEvent[] = [
  { type: 'providerObserved', facts: { paymentState: 'created', captures: [] } },
  { type: 'providerObserved', facts: { paymentState: 'approved', payerId: 'PAYER-1', captures: [] } },
  { type: 'providerObserved', facts: { paymentState: 'failed', captures: [] } },
];

const granted: PaymentEvent[] = [authorization, otherAmount].flatMap((held) => [
  ...captures.map((made): PaymentEvent => ({
    ...sampleEvents.authorizationGranted,
    authorization: held,
    ...(made.length > 0 && { captures: made }),
  })),
  ...captures.flatMap((made): PaymentEvent[] =>
    (['voided', 'expired'] as const).map((state) => ({
      ...sampleEvents.authorizationGranted,
      authorization: held,
      ended: { state, captures: made },
    })),
  ),
]);
const captured: PaymentEvent[] = (['completed', 'pending', 'denied'] as const).flatMap((status) => [
  { type: 'captureAnswered', capture: capture(40_00, { captureId: 'CAP-2', status }) },
  { type: 'captureAnswered', capture: capture(100_00, { captureId: 'CAP-3', status, final: true }) },
]);
const holdShown: PaymentEvent[] = [authorization, otherAmount].flatMap((held) =>
  holdStates.flatMap((state) =>
    captures.map((made): PaymentEvent => ({
      type: 'providerObserved',
      facts: facts({ authorization: { ...held, state, changedAt: now }, captures: made }),
    })),
  ),
);

export const authorizing: Explored<PaymentState, PaymentEvent> = {
  starts: [
    order({ patience: impatient }),
    order({ capturePolicy: { mode: 'automatic' }, expiryPolicy: { action: 'capture' }, patience: impatient }),
  ].map((asked) => orderedPayment(asked, orderedAt)),
  events: [...alike, ...decisions, ...waitingForPayer, ...granted, ...captured, ...holdShown],
  instants,
  transition,
  likeness,
};

/** Orders whose pending captures leave a rest, in whose other transitions they do not differ. */
export const holdingRest: Explored<PaymentState, PaymentEvent> = {
  starts: [orderedPayment(order({ ...rulesOfNewOrders({}), patience: impatient }), orderedAt)],
  events: [
    ...alike,
    sampleEvents.authorizationGranted,
    ...captured,
    ...captures.map((shown): PaymentEvent => ({ type: 'voidConfirmed', shown })),
    ...holdStates.map((state): PaymentEvent => ({
      type: 'providerObserved',
      facts: facts({ authorization: { ...authorization, state, changedAt: now } }),
    })),
  ],
  instants: [now],
  transition,
  likeness,
};

const sales = (['completed', 'pending', 'denied'] as const).flatMap((status) => [
  { ...sale, status },
  { ...sale, status, minor: 120_00 },
]);

export const selling: Explored<PaymentState, PaymentEvent> = {
  starts: [
    orderedPayment(
      order({ intent: 'sale', ...rulesOfNewOrders({ intent: 'sale' }), patience: impatient }),
      orderedAt,
    ),
  ],
  events: [
    ...alike,
    ...decisions,
    ...waitingForPayer,
    ...sales.flatMap((shown): PaymentEvent[] => [
      { type: 'saleAnswered', providerPaymentId: 'PAY-1', sale: shown },
      { type: 'providerObserved', facts: { paymentState: 'approved', sale: shown, captures: [] } },
    ]),
  ],
  instants,
  transition,
  likeness,
};

function likeness(state: PaymentState): unknown {
  const { status, order: ordered, authorization: held, openStep, captures: made } = state;
  return [
    status,
    ordered.capturePolicy.mode,
    ordered.expiryPolicy.action,
    state.holdEnd,
    held?.minor,
    [...new Set(made.map((each) => `${each.status} ${each.final}`))].toSorted(),
    amountsOf(state).capturable > 0,
    openStep && [openStep.step.type, openStep.phase, Math.min(openStep.attempts, 1)],
    state.sale,
    state.lapsed,
    state.isHeldAmountAccepted,
    state.isCancelWaiting,
  ];
}

function madeElsewhere(minor: number, details: Partial<Capture> = {}): Capture {
  const { commandId: _ours, ...made } = capture(minor, { captureId: 'CAP-9', ...details });
  return made;
}
