import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '#database/connection/database.js';
import { paymentRecords } from '#database/transitions';
import { releaseParkedEvents } from '#database/events/parked-events.js';
import { readWebhookEvent } from '#payments-client/webhooks';
import { newEventOf } from '#webhook-inbox';
import { routeEvent } from '#webhook-inbox/event-route.js';
import { billing, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { payment } from '../lifecycle/payment/sample-payments.js';

afterEach(() => vi.restoreAllMocks());

/**
 * A chargeback's event as the public API and its simulator give it: its state is `completed`, because the reversal is
 * (docs/provider.md, "Chosen where the documents are silent"; sample-resources.ts of the sandbox).
 */
function reversed(kind: 'capture' | 'sale', id: string, more: object) {
  const body = {
    id: 'WH-1',
    event_type: `PAYMENT.${kind.toUpperCase()}.REVERSED`,
    resource_type: kind,
    resource: { id, state: 'completed', amount: { total: '-9.00', currency: 'USD' }, ...more },
  };
  return newEventOf(readWebhookEvent(body), body);
}

const routed = ({ eventId, eventType, resource }: ReturnType<typeof reversed>) => ({
  event_id: eventId,
  event_type: eventType,
  resource,
});

describe('a chargeback of a subscription’s payment, shown as completed', () => {
  it('makes its run read the payments', () => {
    const event = reversed('sale', 'S-1', { billing_agreement_id: 'I-1' });
    expect(routeEvent(routed(event), { id: 'sub_1', state: subscription('active') })).toMatchObject({
      kind: 'signal',
      message: { event: { type: 'providerNotified', isAboutPayment: true } },
    });
  });

  it('is reversed, but keeps any other state that it shows', () => {
    expect(reversed('sale', 'S-1', {}).resource).toMatchObject({ state: 'reversed' });
    expect(reversed('sale', 'S-1', { state: 'denied' }).resource).toMatchObject({ state: 'denied' });
  });

  it('is news, although the agreement has been read since', () => {
    const update_time = new Date((billing.updatedAt ?? 0) - 1_000).toISOString();
    const event = reversed('sale', 'S-1', { billing_agreement_id: 'I-1', update_time });
    expect(routeEvent(routed(event), { id: 'sub_1', state: subscription('active') })).toMatchObject({
      kind: 'signal',
    });
  });
});

it('a chargeback that waited for a call to be answered is dispatched, although the capture is known by then', async () => {
  const state = payment('captured');
  const captureId = state.captures[0]!.captureId;
  const { resource } = reversed('capture', captureId, {});
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const statuses: unknown[] = [];
  const client = {
    query: async (_text: string, values: readonly unknown[]) => {
      statuses.push(values[0]);
      return { command: 'UPDATE', rowCount: 1, rows: [] };
    },
    release: () => undefined,
  };
  const parked = { place: 0, id: 1, resource };
  const pool = poolOf(db);
  vi.spyOn(pool, 'query').mockImplementation((async () => ({ rows: [parked] })) as never);
  vi.spyOn(pool as unknown as { connect(): Promise<unknown> }, 'connect').mockResolvedValue(client);
  const subject = { environment: 'sandbox', application: 'shop', id: 'pay_1' };
  await releaseParkedEvents(db, { records: paymentRecords, subject, state });
  expect(statuses).toEqual(['received']);
});
