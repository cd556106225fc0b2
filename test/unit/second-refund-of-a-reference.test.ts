import { describe, expect, it } from 'vitest';
import { refundRecords } from '#database/transitions';
import { routeEvent } from '#webhook-inbox/event-route.js';
import type { RefundState } from '#workflows/lifecycle/refund';
import { doubtedRequest, pendingRequest } from '../lifecycle/refund/sample-refunds.js';

/** The second refund that the provider made of our request: it executed the call late that was proved undone. */
const second = { kind: 'refund', id: 'REF-2', state: 'completed', reference: 're_1-0a1b2c3d' } as const;

/** The first one is on record. Events of both find this request, by its reference (event-subject.ts). */
const answered = (status: RefundState['status']): RefundState => ({ ...pendingRequest(), status });

describe('the event of a second refund with the reference of a request', () => {
  it.each(['pending', 'completed', 'failed', 'cancelled'] as const)(
    'counts as another refund of the payment when the first one is %s',
    (status) => {
      const event = { event_id: 'WH-2', event_type: 'PAYMENT.CAPTURE.REFUNDED', resource: second };
      expect(routeEvent(event, { id: 're_1', state: answered(status) })).toMatchObject({
        kind: 'adoptRefund',
        paymentId: 'pay_1',
        nameElsewhere: 'REF-2',
        claim: { kind: 'refund', providerRefundId: 'REF-2' },
      });
    },
  );

  it.each([
    ['names no refund', pendingRequest(), { ...second, id: '' }, {}],
    ['names what was refunded', pendingRequest(), { ...second, kind: 'capture', id: 'CAP-1' }, {}],
    ['names no refund during the doubt', doubtedRequest(), { ...second, id: '' }, {}],
    ['names the one that the request may have made', doubtedRequest(), second, { resourceId: 'REF-2' }],
  ] as const)('is one of the first if it %s: its run reads that', (_what, state, resource, named) => {
    const eventType = 'PAYMENT.CAPTURE.REFUNDED';
    const event = { event_id: 'WH-2', event_type: eventType, resource };
    expect(routeEvent(event, { id: 're_1', state })).toEqual({
      kind: 'signal',
      message: { event: { type: 'refundNotified', eventType, ...named } },
    });
  });

  it('is not taken for the first one when it waited for the answer', () => {
    expect(refundRecords.isAlreadyKnown(answered('completed'), second)).toBe(false);
  });
});
