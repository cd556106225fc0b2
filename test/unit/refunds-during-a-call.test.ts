import { expect, it } from 'vitest';
import { routeEvent } from '#webhook-inbox/event-route.js';
import { payment } from '../lifecycle/payment/sample-payments.js';

/** A second capture is under way. */
const state = payment('capturing');
const refundOf = (captureId: string) => ({
  event_id: 'WH-1',
  event_type: 'PAYMENT.CAPTURE.REFUNDED',
  resource: { kind: 'refund', id: 'REF-9', state: 'completed' } as const,
  resource_ids: ['PAY-1', captureId, 'REF-9'],
});

it('a refund of a known capture counts at once, also during a call', () => {
  const known = refundOf(state.captures[0]!.captureId);
  expect(routeEvent(known, { id: 'pay_1', state })).toMatchObject({ kind: 'adoptRefund' });
});

it('a refund of what the call may have captured waits for its answer', () => {
  const unknown = refundOf('CAP-2');
  expect(routeEvent(unknown, { id: 'pay_1', state })).toMatchObject({ status: 'parked' });
  const idle = payment('partially_captured');
  expect(routeEvent(unknown, { id: 'pay_1', state: idle })).toMatchObject({ kind: 'adoptRefund' });
});
