import { describe, expect, it } from 'vitest';
import { routeEvent } from '../../libs/webhook-inbox/src/event-route.js';
import type { PayoutState } from '../../libs/workflows/src/lifecycle/payout/payout.js';
import { now, payout } from '../lifecycle/payout/sample-payouts.js';

const route = (state: PayoutState, kind: 'payout' | 'payout_item', shown: string) =>
  routeEvent(
    { event_id: 'WH-1', event_type: 'PAYMENT.TEST', resource: { kind, id: 'R-1', state: shown } },
    { id: 'po_1', state },
  );

describe('an event of a payout', () => {
  it('wakes its run once, and those that come until the read that it has asked for do not', () => {
    expect(route(payout('processing'), 'payout', 'SUCCESS')).toMatchObject({
      kind: 'signal',
      message: { id: 'WH-1', event: { type: 'providerNotified' } },
    });
    expect(route(payout('settling'), 'payout_item', 'SUCCESS').kind).toBe('signal');
    const due = payout('settling', { readAt: now });
    expect(route(due, 'payout_item', 'SUCCESS')).toMatchObject({ kind: 'settle', status: 'applied' });
    expect(route(payout('processing'), 'payout_item', 'SUCCESS')).toMatchObject({ status: 'applied' });
    expect(route(payout('processing'), 'payout', 'PROCESSING')).toMatchObject({ status: 'applied' });
  });

  it('waits for the answer to the creation', () => {
    expect(route(payout('creating'), 'payout', 'SUCCESS')).toMatchObject({
      kind: 'settle',
      status: 'parked',
    });
  });

  it('starts a run that reads where it tells of money that came back after the end, whatever read was due', () => {
    for (const state of [payout('completed'), payout('denied'), payout('cancelled', { readAt: now })]) {
      const told = route(state, 'payout_item', 'REFUNDED');
      expect(told).toMatchObject({
        kind: 'startReading',
        message: { id: 'WH-1', event: { type: 'providerNotified', isOfEndedItem: true } },
      });
      const subject = { environment: 'sandbox', application: 'shop', id: 'po_1' };
      const run = told.kind === 'startReading' ? told.runOf(subject) : undefined;
      expect(run).toMatchObject({ subject, input: { hasEnded: true, order: { payoutId: 'po_1' } } });
    }
  });

  it('is read after the end where it tells of one that no item has come to, and else told nothing new', () => {
    expect(route(payout('completed'), 'payout_item', 'RETURNED').kind).toBe('startReading');
    for (const shown of ['SUCCESS', 'UNCLAIMED', 'PENDING', 'ON_MARS']) {
      expect(route(payout('completed'), 'payout_item', shown)).toMatchObject({ status: 'applied' });
    }
    expect(route(payout('completed'), 'payout', 'SUCCESS')).toMatchObject({ status: 'applied' });
  });

  it('reaches the run where it tells of money that came back, whatever read is due: an end forgoes that', () => {
    for (const state of [payout('processing'), payout('settling', { readAt: now })]) {
      expect(route(state, 'payout_item', 'REFUNDED')).toMatchObject({
        kind: 'signal',
        message: { event: { isOfEndedItem: true } },
      });
    }
  });
});
