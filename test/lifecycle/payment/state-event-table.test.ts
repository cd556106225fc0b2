import { describe, expect, it } from 'vitest';
import {
  type Decision,
  type PaymentEvent,
  type PaymentEventType,
  type PaymentState,
  type PaymentStatus,
  isTerminal,
  paymentStatuses,
} from '../../../libs/workflows/src/lifecycle/payment/payment.js';
import { decide } from '../../../libs/workflows/src/lifecycle/payment/transition.js';
import { sampleEvents } from './sample-events.js';
import {
  authorization,
  capture,
  inDoubt,
  now,
  order,
  payment,
  settled,
  toBeRepeated,
} from './sample-payments.js';

/**
 * What every state makes of every event. A cell says where the payment then stands and what is done next:
 * `authorized`, `authorized +observe`; `= +lookUp` stays where it is; `=` alone changes something but not the status.
 * `-` told nothing new, `refused` answers a request, `conflict` is recorded against what is known.
 */
const beforeTheHold = `
event                  | creating          | awaiting_approval    | authorizing
paymentCreated         | awaiting_approval | -                    | awaiting_approval
authorizationGranted   | authorized        | -                    | authorized
stepDeclined           | declined          | -                    | declined
approvalFoundMissing   | declined          | -                    | awaiting_approval
captureAnswered        | -                 | -                    | -
voidConfirmed          | -                 | -                    | -
stepDeferred           | =                 | -                    | =
outcomeUnknown         | =                 | -                    | =
stepProvedUndone       | = +perform        | -                    | = +perform
lookInconclusive       | -                 | -                    | -
providerObserved       | -                 | authorized           | -
observationFailed      | -                 | -                    | -
decisionRefused        | -                 | -                    | -
stepDecidedUndone      | -                 | -                    | -
payerApproved          | -                 | authorizing +perform | -
payerCancelled         | -                 | cancelled            | -
captureRequested       | refused           | refused              | refused
voidRequested          | refused           | refused              | refused
reviewDecided          | refused           | refused              | refused
providerNotified       | -                 | = +observe           | -
approvalTimedOut       | -                 | = +observe           | -
captureCameDue         | -                 | -                    | -
honourPeriodNearedEnd  | -                 | -                    | -
honourPeriodEnded      | -                 | -                    | -
captureWindowNearedEnd | -                 | -                    | -
settlementCameDue      | -                 | -                    | -
authorizationLapsed    | -                 | -                    | -
stepCameDue            | -                 | -                    | -
pollCameDue            | -                 | = +observe           | -
`;

const whileFundsAreHeld = `
event                  | authorized         | capturing                   | partially_captured | voiding
paymentCreated         | -                  | -                           | -                  | -
authorizationGranted   | -                  | -                           | -                  | -
stepDeclined           | -                  | partially_captured +observe | -                  | authorized +observe
approvalFoundMissing   | -                  | partially_captured +observe | -                  | authorized +observe
captureAnswered        | -                  | captured                    | -                  | -
voidConfirmed          | -                  | -                           | -                  | voided
stepDeferred           | -                  | =                           | -                  | =
outcomeUnknown         | -                  | =                           | -                  | =
stepProvedUndone       | -                  | = +perform                  | -                  | = +perform
lookInconclusive       | -                  | -                           | -                  | -
providerObserved       | -                  | -                           | -                  | -
observationFailed      | =                  | -                           | =                  | -
decisionRefused        | -                  | -                           | -                  | -
stepDecidedUndone      | -                  | -                           | -                  | -
payerApproved          | -                  | -                           | -                  | -
payerCancelled         | -                  | -                           | -                  | -
captureRequested       | capturing +perform | refused                     | capturing +perform | refused
voidRequested          | voiding +perform   | refused                     | voiding +perform   | refused
reviewDecided          | refused            | refused                     | refused            | refused
providerNotified       | = +observe         | -                           | = +observe         | -
approvalTimedOut       | -                  | -                           | -                  | -
captureCameDue         | capturing +perform | -                           | capturing +perform | -
honourPeriodNearedEnd  | =                  | -                           | =                  | -
honourPeriodEnded      | =                  | -                           | =                  | -
captureWindowNearedEnd | =                  | -                           | =                  | -
settlementCameDue      | voiding +perform   | -                           | voiding +perform   | -
authorizationLapsed    | = +observe         | -                           | = +observe         | -
stepCameDue            | -                  | -                           | -                  | -
pollCameDue            | = +observe         | = +observe                  | = +observe         | -
`;

const ended = `
event                  | captured | voided  | declined | cancelled | expired
paymentCreated         | -        | -       | -        | -         | -
authorizationGranted   | -        | -       | -        | -         | -
stepDeclined           | -        | -       | -        | -         | -
approvalFoundMissing   | -        | -       | -        | -         | -
captureAnswered        | -        | -       | -        | -         | -
voidConfirmed          | -        | -       | -        | -         | -
stepDeferred           | -        | -       | -        | -         | -
outcomeUnknown         | -        | -       | -        | -         | -
stepProvedUndone       | -        | -       | -        | -         | -
lookInconclusive       | -        | -       | -        | -         | -
providerObserved       | conflict | -       | -        | -         | -
observationFailed      | -        | -       | -        | -         | -
decisionRefused        | -        | -       | -        | -         | -
stepDecidedUndone      | -        | -       | -        | -         | -
payerApproved          | -        | -       | -        | -         | -
payerCancelled         | -        | -       | -        | -         | -
captureRequested       | refused  | refused | refused  | refused   | refused
voidRequested          | refused  | refused | refused  | refused   | refused
reviewDecided          | refused  | refused | refused  | refused   | refused
providerNotified       | -        | -       | -        | -         | -
approvalTimedOut       | -        | -       | -        | -         | -
captureCameDue         | -        | -       | -        | -         | -
honourPeriodNearedEnd  | -        | -       | -        | -         | -
honourPeriodEnded      | -        | -       | -        | -         | -
captureWindowNearedEnd | -        | -       | -        | -         | -
settlementCameDue      | -        | -       | -        | -         | -
authorizationLapsed    | -        | -       | -        | -         | -
stepCameDue            | -        | -       | -        | -         | -
pollCameDue            | -        | -       | -        | -         | -
`;

/** The same status means different things while a POST is in doubt, is to be repeated, or is answered but pending. */
const byOpenStep = `
event                  | capture in doubt            | capture to be repeated      | capture pending | capture under review        | unseen capture under review | other amount under review
paymentCreated         | -                           | -                           | -               | -                           | -                           | -
authorizationGranted   | -                           | -                           | -               | -                           | -                           | -
stepDeclined           | partially_captured +observe | partially_captured +observe | -               | partially_captured +observe | -                           | -
approvalFoundMissing   | partially_captured +observe | partially_captured +observe | -               | -                           | -                           | -
captureAnswered        | captured                    | captured                    | =               | captured                    | captured                    | -
voidConfirmed          | -                           | -                           | -               | -                           | -                           | -
stepDeferred           | =                           | =                           | -               | capturing                   | -                           | -
outcomeUnknown         | =                           | =                           | -               | =                           | -                           | -
stepProvedUndone       | = +perform                  | = +perform                  | -               | capturing +perform          | -                           | -
lookInconclusive       | =                           | -                           | -               | =                           | -                           | -
providerObserved       | -                           | -                           | -               | -                           | -                           | conflict
observationFailed      | -                           | -                           | -               | -                           | -                           | -
decisionRefused        | -                           | -                           | -               | refused                     | refused                     | refused
stepDecidedUndone      | -                           | -                           | -               | partially_captured +observe | expired                     | -
payerApproved          | -                           | -                           | -               | -                           | -                           | -
payerCancelled         | -                           | -                           | -               | -                           | -                           | -
captureRequested       | refused                     | refused                     | refused         | refused                     | refused                     | refused
voidRequested          | refused                     | refused                     | refused         | refused                     | refused                     | refused
reviewDecided          | refused                     | refused                     | refused         | = +verifyDecision           | = +verifyDecision           | refused
providerNotified       | = +lookUp                   | -                           | = +observe      | = +lookUp                   | = +observe                  | = +observe
approvalTimedOut       | -                           | -                           | -               | -                           | -                           | -
captureCameDue         | -                           | -                           | -               | -                           | -                           | -
honourPeriodNearedEnd  | -                           | -                           | -               | -                           | -                           | -
honourPeriodEnded      | -                           | -                           | -               | -                           | -                           | -
captureWindowNearedEnd | -                           | -                           | -               | -                           | -                           | -
settlementCameDue      | -                           | -                           | -               | -                           | -                           | -
authorizationLapsed    | -                           | -                           | -               | -                           | -                           | -
stepCameDue            | = +lookUp                   | = +perform                  | -               | = +lookUp                   | -                           | -
pollCameDue            | = +observe                  | = +observe                  | = +observe      | = +observe                  | = +observe                  | = +observe
`;

const otherAmount: PaymentState = {
  ...payment('authorized'),
  status: 'needs_review',
  authorization: { ...authorization, minor: 120_00 },
};

const situations: Readonly<Record<string, PaymentState>> = {
  ...Object.fromEntries(paymentStatuses.map((status) => [status, payment(status)])),
  'capture in doubt': inDoubt(payment('capturing')),
  'capture to be repeated': toBeRepeated(payment('capturing')),
  'capture pending': {
    ...settled(payment('capturing')),
    captures: [capture(40_00), capture(10_00, { captureId: 'CAP-3', status: 'pending' })],
  },
  'capture under review': payment('needs_review'),
  'unseen capture under review': { ...payment('authorized'), status: 'needs_review' },
  'other amount under review': otherAmount,
};

const eventTypes = Object.keys(sampleEvents) as PaymentEventType[];

const tables = [
  { name: 'before its hold', ...readTable(beforeTheHold) },
  { name: 'while funds are held', ...readTable(whileFundsAreHeld) },
  { name: 'that has ended', ...readTable(ended) },
  { name: 'whose capture is open', ...readTable(byOpenStep) },
];

describe.each(tables)('what becomes of a payment $name', ({ situations: columns, cells }) => {
  it('names every event', () => {
    expect(cells.map(({ event }) => event)).toEqual(eventTypes);
  });

  it.each(cells)('$event', ({ event, expected }) => {
    const decided = columns.map((column) => describeDecision(situations[column]!, sampleEvents[event]));
    expect(Object.fromEntries(columns.map((column, i) => [column, decided[i]]))).toEqual(
      Object.fromEntries(columns.map((column, i) => [column, expected[i]])),
    );
  });
});

it('asks every status about every event', () => {
  const asked = new Set(tables.flatMap((table) => table.situations.map((name) => situations[name]?.status)));
  expect(asked).toEqual(new Set(paymentStatuses));
});

describe.each(Object.entries(situations))('a payment that is: %s', (_name, state) => {
  it('is left as it was by every event that does not move it', () => {
    for (const type of eventTypes) {
      const decision = decide(state, sampleEvents[type], now);
      if (decision.kind !== 'moved') expect(decision.state).toEqual(state);
    }
  });

  it('makes the same of the same event twice and changes no argument', () => {
    const before = structuredClone(state);
    for (const type of eventTypes) {
      expect(decide(state, sampleEvents[type], now)).toEqual(decide(state, sampleEvents[type], now));
    }
    expect(state).toEqual(before);
  });
});

it.each(paymentStatuses.filter(isTerminal))('a payment that is %s stays so', (status) => {
  for (const type of eventTypes)
    expect(decide(payment(status), sampleEvents[type], now).state.status).toBe(status);
});

describe('the expiry policy', () => {
  it.each([
    ['void', 'voiding +perform'],
    ['capture', 'capturing +perform'],
    ['expire', '='],
  ] as const)('%s decides what becomes of a hold whose window nears its end', (action, expected) => {
    const held = payment('authorized', order({ expiryPolicy: { action } }));
    expect(describeDecision(held, sampleEvents.settlementCameDue)).toBe(expected);
  });
});

it('captures in the same breath when the order says so', () => {
  const creating = payment('creating', { capturePolicy: { mode: 'automatic' } });
  expect(describeDecision(creating, sampleEvents.authorizationGranted)).toBe('capturing +perform');
});

function describeDecision(state: PaymentState, event: PaymentEvent): string {
  const decision = decide(state, event, now);
  if (decision.kind === 'moved') return describeMove(state.status, decision);
  return decision.kind === 'stale' ? '-' : decision.kind;
}

function describeMove(from: PaymentStatus, { state, effect }: Extract<Decision, { kind: 'moved' }>): string {
  const to = state.status === from ? '=' : state.status;
  return effect ? `${to} +${effect.type}` : to;
}

function readTable(text: string): {
  situations: string[];
  cells: { event: PaymentEventType; expected: string[] }[];
} {
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return {
    situations: head.slice(1),
    cells: rows.map(([event, ...expected]) => ({ event: event as PaymentEventType, expected })),
  };
}
