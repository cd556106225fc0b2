import { describe, expect, it } from 'vitest';
import {
  type Capture,
  type PaymentState,
  type PaymentStatus,
  isTerminal,
  paymentStatuses,
  transition,
} from '#workflows/lifecycle/payment';
import {
  type TransitionResult,
  type PaymentEvent,
  type PaymentEventType,
} from '#workflows/lifecycle/payment/event.js';
import { besidePending, byOpenStep, byReauthorization } from './expected-steps.js';
import { beforeTheHold, ended, ofSale, whileFundsAreHeld } from './expected-transitions.js';
import { sampleEvents } from './sample-events.js';
import {
  authorization,
  capture,
  day,
  inDoubt,
  now,
  order,
  payment,
  sale,
  settled,
  toBeRepeated,
} from './sample-payments.js';

const otherAmount: PaymentState = {
  ...payment('authorized'),
  status: 'needs_review',
  authorization: { ...authorization, minor: 120_00 },
};

/** Its honour period is over, and the window is open. */
function agedFourDays(state: PaymentState): PaymentState {
  const createdAt = now - 4 * day;
  return { ...state, authorization: { ...authorization, createdAt, validUntil: createdAt + 29 * day } };
}

/** Of an order whose pending captures leave a rest, 40.00 captured already. */
function pendingBeside(captures: readonly Capture[]): PaymentState {
  const capturing = settled(payment('capturing', { holdsRest: true }));
  return { ...capturing, captures: [capture(40_00), ...captures] };
}

const situations: Readonly<Record<string, PaymentState>> = {
  ...Object.fromEntries(paymentStatuses.map((status) => [status, payment(status)])),
  'capture in doubt': inDoubt(payment('capturing')),
  'capture to be repeated': toBeRepeated(payment('capturing')),
  'capture pending': {
    ...settled(payment('capturing')),
    captures: [capture(40_00), capture(10_00, { captureId: 'CAP-3', status: 'pending' })],
  },
  'rest beside a pending capture': pendingBeside([capture(10_00, { captureId: 'CAP-3', status: 'pending' })]),
  'all or the final part pending': pendingBeside([
    capture(10_00, { captureId: 'CAP-3', status: 'pending', final: true }),
  ]),
  'hold over beside a pending capture': {
    ...pendingBeside([capture(10_00, { captureId: 'CAP-3', status: 'pending' })]),
    holdEnd: 'voided',
  },
  'capture under review': payment('needs_review'),
  'held for 4 days': agedFourDays(payment('authorized')),
  'part captured after 4 days': agedFourDays(payment('partially_captured')),
  'reauthorization in doubt': inDoubt(payment('reauthorizing')),
  'reauthorization to be repeated': toBeRepeated(payment('reauthorizing')),
  'reauthorization under review': { ...inDoubt(payment('reauthorizing')), status: 'needs_review' },
  'unseen capture under review': { ...payment('authorized'), status: 'needs_review' },
  'other amount under review': otherAmount,
  'sale being created': payment('creating', { intent: 'sale' }),
  'execution in doubt': inDoubt(payment('executing')),
  'execution under review': { ...inDoubt(payment('executing')), status: 'needs_review' },
  'other amount of a sale under review': {
    ...payment('completed'),
    status: 'needs_review',
    sale: { ...sale, minor: 120_00 },
  },
};

const eventTypes = Object.keys(sampleEvents) as PaymentEventType[];

const tables = [
  { name: 'before its hold', ...readTable(beforeTheHold) },
  { name: 'while funds are held', ...readTable(whileFundsAreHeld) },
  { name: 'that has ended', ...readTable(ended) },
  { name: 'that takes the money at once', ...readTable(ofSale) },
  { name: 'whose capture is open', ...readTable(byOpenStep) },
  { name: 'with a pending capture', ...readTable(besidePending) },
  { name: 'whose hold is to be reauthorized', ...readTable(byReauthorization) },
];

describe.each(tables)('the next state of a payment $name', ({ situations: columns, cells }) => {
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

it('has a result for every status and every event', () => {
  const asked = new Set(tables.flatMap((table) => table.situations.map((name) => situations[name]?.status)));
  expect(asked).toEqual(new Set(paymentStatuses));
});

describe.each(Object.entries(situations))('a payment that is: %s', (_name, state) => {
  it('is not changed by an event that does not move it', () => {
    for (const type of eventTypes) {
      const result = transition(state, sampleEvents[type], now);
      if (result.kind === 'moved') continue;
      const reported = result.kind === 'conflict' && { contradiction: result.reason };
      expect(result.state).toEqual({ ...state, ...reported });
    }
  });

  it('gets the same result from the same event twice, and no argument is changed', () => {
    const before = structuredClone(state);
    for (const type of eventTypes) {
      expect(transition(state, sampleEvents[type], now)).toEqual(transition(state, sampleEvents[type], now));
    }
    expect(state).toEqual(before);
  });
});

it.each(paymentStatuses.filter(isTerminal))('a payment that is %s stays so', (status) => {
  for (const type of eventTypes)
    expect(transition(payment(status), sampleEvents[type], now).state.status).toBe(status);
});

describe('the expiry policy', () => {
  it.each([
    ['void', 'voiding +perform'],
    ['capture', 'capturing +perform'],
    ['expire', '='],
  ] as const)('%s decides what happens to a hold near the end of its window', (action, expected) => {
    const held = payment('authorized', order({ expiryPolicy: { action } }));
    expect(describeDecision(held, sampleEvents.settlementCameDue)).toBe(expected);
  });
});

it('captures in the same transition when the order says so', () => {
  const creating = payment('creating', { capturePolicy: { mode: 'automatic' } });
  expect(describeDecision(creating, sampleEvents.authorizationGranted)).toBe('capturing +perform');
});

function describeDecision(state: PaymentState, event: PaymentEvent): string {
  const result = transition(state, event, now);
  if (result.kind === 'moved') return describeMove(state.status, result);
  return result.kind === 'stale' ? '-' : result.kind;
}

function describeMove(
  from: PaymentStatus,
  { state, effect }: Extract<TransitionResult, { kind: 'moved' }>,
): string {
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
