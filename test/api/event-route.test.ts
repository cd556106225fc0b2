import { describe, expect, test } from 'vitest';
import { routeEvent } from '#webhook-inbox/event-route.js';
import type { NotifiedResource } from '#workflows/lifecycle';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { pendingRequest, refund } from '../lifecycle/refund/sample-refunds.js';
import { ordered, openStep, idle, held, captured, capturing, routeOf } from './routed-payments.js';

const usd = (minor: number) => ({ minor, currency: 'USD' });

describe('case 11: an event that gives a known resource another amount', () => {
  test('makes the run read the provider, and is a conflict whatever the run finds', () => {
    const event = { kind: 'authorization', id: 'AUTH', state: 'authorized', amount: usd(9_000) } as const;
    expect(routeOf(held, event)).toMatchObject({
      kind: 'signal',
      message: { event: { type: 'providerNotified' } },
      contradiction: 'It says 90.00 USD of authorization AUTH, on record are 100.00 USD.',
    });
    const inYen = { ...event, amount: { minor: 10_000, currency: 'JPY' } };
    expect(routeOf(held, inYen)).toMatchObject({
      kind: 'signal',
      contradiction: expect.stringContaining('10000 JPY'),
    });
  });

  test('is a conflict at once after the end', () => {
    const event = { kind: 'capture', id: 'CAP', state: 'completed', amount: usd(1) } as const;
    expect(routeOf(captured, event)).toMatchObject({ kind: 'setStatus', status: 'conflict' });
  });

  test('is no conflict when the amounts are equal or the resource is another one', () => {
    const event = { kind: 'capture', id: 'CAP', state: 'completed', amount: usd(10_000) } as const;
    expect(routeOf(captured, event)).toMatchObject({ kind: 'setStatus', status: 'applied' });
    expect(routeOf(held, { ...event, amount: usd(1) })).toEqual({
      kind: 'signal',
      message: { event: { type: 'providerNotified', eventType: 'TEST', isNews: true } },
    });
  });
});

function route(state: PaymentState, kind: NotifiedResource['kind'], id: string, shown: string): string {
  const resource = { kind, id, state: shown };
  const decided = routeEvent({ event_id: 'WH-1', event_type: 'TEST', resource }, { id: 'pay_1', state });
  return decided.kind === 'setStatus' ? decided.status : decided.kind;
}

const messageAbout = (state: PaymentState, resource: NotifiedResource) => {
  const route = routeOf(state, resource);
  return route.kind === 'signal' ? route.message.event : route;
};

describe('an approval', () => {
  const approval = { kind: 'payment', id: 'PAY', state: 'created', payerId: 'PAYER' } as const;

  test('names the payer to a payment that waits for one, and makes any other payment read the provider', () => {
    expect(messageAbout({ ...idle, status: 'awaiting_approval' }, approval)).toEqual({
      type: 'payerApproved',
      payerId: 'PAYER',
    });
    const inDoubt: PaymentState = {
      ...idle,
      status: 'authorizing',
      openStep: { ...openStep!, phase: 'doubt' },
    };
    expect(messageAbout(inDoubt, approval)).toMatchObject({ type: 'providerNotified' });
  });
});

describe('a chargeback', () => {
  test.each(['capture', 'sale'] as const)('of a %s is recorded when its event comes', (kind) => {
    const event = {
      event_id: 'WH-1',
      event_type: `PAYMENT.${kind.toUpperCase()}.REVERSED`,
      resource: { kind, id: 'CAP', state: 'refunded' },
    };
    expect(routeEvent(event, { id: 'pay_1', state: captured })).toEqual({
      kind: 'adoptRefund',
      nameElsewhere: 'WH-1',
      claim: { kind: 'reversal', collected: { kind, id: 'CAP' }, eventId: 'WH-1', changedTo: 'refunded' },
      patience: captured.order.patience,
    });
  });

  test.each([
    ['another capture', 'CAP-OF-ANOTHER', 'WH-1:CAP'],
    ['the same capture', 'CAP', 'WH-1'],
  ])('of an event under which %s came first, %s, is recorded as %s', (_what, id, nameElsewhere) => {
    const first = { kind: 'capture', id, state: 'refunded' } as const;
    const event = {
      event_id: 'WH-1',
      event_type: 'PAYMENT.CAPTURE.REVERSED',
      resource: { kind: 'capture', id: 'CAP', state: 'refunded' },
      first_content: { eventType: 'PAYMENT.CAPTURE.REVERSED', resource: first, resourceIds: [id] },
    } as const;
    expect(routeEvent(event, { id: 'pay_1', state: captured })).toMatchObject({ nameElsewhere });
  });
});

describe('an event that tells of a refund that we requested', () => {
  const event = {
    event_id: 'WH-1',
    event_type: 'PAYMENT.CAPTURE.REFUNDED',
    resource: { kind: 'refund', id: 'REF-9', state: 'completed' },
  } as const;

  test('starts a run that reads the refund when the request was given up', () => {
    const { paymentId, patience } = refund('declined');
    expect(routeEvent(event, { id: 're_1', state: refund('declined') })).toEqual({
      kind: 'adoptRefund',
      paymentId,
      nameElsewhere: 'REF-9',
      claim: { kind: 'refund', providerRefundId: 'REF-9' },
      patience,
    });
  });

  test('is a conflict when the provider had said that the refund failed', () => {
    const failed = { ...pendingRequest(), status: 'failed' as const, providerRefundId: 'REF-9' };
    expect(routeEvent(event, { id: 're_1', state: failed })).toMatchObject({ status: 'conflict' });
  });
});

describe('an event', () => {
  test.each([
    ['that comes before our own call has answered waits', ordered, 'payment', 'PAY', 'created', 'parked'],
    ['of a capture made elsewhere is signalled to the run', held, 'capture', 'CAP', 'completed', 'signal'],
    ['of a void made elsewhere is signalled to the run', held, 'authorization', 'AUTH', 'voided', 'signal'],
    ['of an unknown state is signalled to the run', held, 'authorization', 'AUTH', 'mystery', 'signal'],
    ['of an unknown kind is signalled to the run', held, 'other', '', 'completed', 'signal'],
    ['that tells what is known wakes nobody', held, 'authorization', 'AUTH', 'authorized', 'applied'],
    ['that repeats the end wakes nobody', captured, 'capture', 'CAP', 'completed', 'applied'],
    ['that is older than the end wakes nobody', captured, 'capture', 'CAP', 'pending', 'applied'],
    [
      'of a refund after the end is signalled to the refund’s own run',
      captured,
      'refund',
      'REF',
      'completed',
      'adoptRefund',
    ],
    [
      'of a refund of a part is signalled to the refund’s own run',
      held,
      'refund',
      'REF',
      'completed',
      'adoptRefund',
    ],
    [
      'case 10: of a refund that comes before the capture has answered waits',
      capturing,
      'refund',
      'REF',
      'completed',
      'parked',
    ],
    ['of a refund without an id is signalled to the run', held, 'refund', '', 'completed', 'signal'],
    [
      'of a second capture after the end is a conflict',
      captured,
      'capture',
      'CAP-2',
      'completed',
      'conflict',
    ],
    ['that denies a completed capture is a conflict', captured, 'capture', 'CAP', 'denied', 'conflict'],
  ] as const)('%s', (_name, state, kind, id, shown, expected) => {
    expect(route(state, kind, id, shown)).toBe(expected);
  });

  test('of a captured hold that was voided by us is a conflict', () => {
    const voided: PaymentState = { ...held, status: 'voided', released: true };
    expect(route(voided, 'authorization', 'AUTH', 'captured')).toBe('conflict');
    expect(route(voided, 'authorization', 'AUTH', 'voided')).toBe('applied');
  });

  test('is sent to the run during an unknown outcome, because it may resolve it', () => {
    const doubtful: PaymentState = {
      ...held,
      status: 'capturing',
      openStep: { ...openStep!, phase: 'doubt' },
    };
    expect(route(doubtful, 'capture', 'CAP', 'completed')).toBe('signal');
  });
});

describe('an event about a resource that a step of unknown outcome may have made', () => {
  test('names the resource to the run, and nothing else', () => {
    const step = { type: 'captureAuthorization', commandId: 'cmd_1', minor: 4_000, final: false } as const;
    const doubtful: PaymentState = { ...capturing, openStep: { ...openStep!, phase: 'doubt', step } };
    const reported = { kind: 'capture', id: 'CAP-2', state: 'completed' } as const;
    const naming = { message: { event: { type: 'providerNotified', resourceId: 'CAP-2' } } };
    expect(routeOf(doubtful, reported)).toMatchObject(naming);
    expect(routeOf(doubtful, { ...reported, kind: 'sale' })).not.toMatchObject(naming);
    expect(routeOf(held, reported)).not.toMatchObject(naming);
  });
});
