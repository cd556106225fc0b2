import { describe, expect, it } from 'vitest';
import { readWebhookEvent } from '#payments-client/webhooks';
import { routeEvent } from '#webhook-inbox/event-route.js';
import { newEventOf } from '#webhook-inbox';
import type { PayoutState } from '#workflows/lifecycle/payout';
import { now, payout } from '../lifecycle/payout/sample-payouts.js';

const route = (state: PayoutState, kind: 'payout' | 'payout_item', shown: string) =>
  routeEvent(
    { event_id: 'WH-1', event_type: 'PAYMENT.TEST', resource: { kind, id: 'R-1', state: shown } },
    { id: 'po_1', state },
  );

describe('an event of a payout', () => {
  it('signals its run once, and later events do not until the read that it has asked for', () => {
    expect(route(payout('processing'), 'payout', 'SUCCESS')).toMatchObject({
      kind: 'signal',
      message: { event: { type: 'providerNotified' } },
    });
    expect(route(payout('settling'), 'payout_item', 'SUCCESS').kind).toBe('signal');
    const due = payout('settling', { readAt: now });
    expect(route(due, 'payout_item', 'SUCCESS')).toMatchObject({ kind: 'setStatus', status: 'applied' });
    expect(route(payout('processing'), 'payout_item', 'SUCCESS')).toMatchObject({ status: 'applied' });
    expect(route(payout('processing'), 'payout', 'PROCESSING')).toMatchObject({ status: 'applied' });
  });

  it('waits for the answer to the creation', () => {
    expect(route(payout('creating'), 'payout', 'SUCCESS')).toMatchObject({
      kind: 'setStatus',
      status: 'parked',
    });
  });

  it('starts a run that reads when it reports money that was returned after the end, whatever read was due', () => {
    for (const state of [payout('completed'), payout('denied'), payout('cancelled', { readAt: now })]) {
      const reported = route(state, 'payout_item', 'REFUNDED');
      expect(reported).toMatchObject({
        kind: 'startReading',
        message: { event: { type: 'providerNotified', isOfEndedItem: true } },
      });
      const subject = { environment: 'sandbox', application: 'shop', id: 'po_1' };
      const run = reported.kind === 'startReading' ? reported.runOf(subject) : undefined;
      expect(run).toMatchObject({ subject, input: { hasEnded: true, order: { payoutId: 'po_1' } } });
    }
  });

  it('is read after the end when it names a status that no item has, and otherwise has no news', () => {
    expect(route(payout('completed'), 'payout_item', 'RETURNED').kind).toBe('startReading');
    for (const shown of ['SUCCESS', 'UNCLAIMED', 'PENDING', 'ON_MARS']) {
      expect(route(payout('completed'), 'payout_item', shown)).toMatchObject({ status: 'applied' });
    }
    expect(route(payout('completed'), 'payout', 'SUCCESS')).toMatchObject({ status: 'applied' });
  });

  it('reaches the run when it reports money that was returned, even if a read is due, because an end skips that read', () => {
    for (const state of [payout('processing'), payout('settling', { readAt: now })]) {
      expect(route(state, 'payout_item', 'REFUNDED')).toMatchObject({
        kind: 'signal',
        message: { event: { isOfEndedItem: true } },
      });
    }
  });
});

const reported = (word: string, status?: string) => {
  const resource = { payout_item_id: 'I1', payout_batch_id: 'B1', transaction_status: status };
  const event_type = `PAYMENT.PAYOUTS-ITEM.${word}`;
  const body = { id: 'WH-1', event_type, resource_type: 'payouts_item', resource };
  return newEventOf(readWebhookEvent(body), body);
};

const routed = (state: PayoutState, { eventId, eventType, resource }: ReturnType<typeof reported>) =>
  routeEvent({ event_id: eventId, event_type: eventType, resource }, { id: 'po_1', state });

describe('an event of an item that omits its status', () => {
  it('starts a run that reads when its type reports money that was returned after the end', () => {
    for (const word of ['REFUNDED', 'REVERSED', 'RETURNED', 'CANCELED']) {
      expect(routed(payout('completed'), reported(word))).toMatchObject({
        kind: 'startReading',
        message: { event: { isOfEndedItem: true } },
      });
    }
    for (const word of ['SUCCEEDED', 'UNCLAIMED', 'HELD']) {
      expect(routed(payout('completed'), reported(word))).toMatchObject({ status: 'applied' });
    }
  });

  it('reaches the open run, whatever read is due', () => {
    expect(routed(payout('settling', { readAt: now }), reported('REFUNDED')).kind).toBe('signal');
  });

  it('is kept like a complete event, whose status counts when there is one', () => {
    expect(reported('REFUNDED')).toMatchObject({ resource: reported('REFUNDED', 'REFUNDED').resource });
    expect(reported('DENIED').resource.state).toBe('FAILED');
    expect(reported('REFUNDED', 'SUCCESS').resource.state).toBe('SUCCESS');
  });
});
