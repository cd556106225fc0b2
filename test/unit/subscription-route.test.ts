import { describe, expect, it } from 'vitest';
import { routeEvent } from '#webhook-inbox/event-route.js';
import type { NotifiedResource } from '#workflows/lifecycle';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { billing, now, subscription } from '../lifecycle/subscription/sample-subscriptions.js';

const route = (state: SubscriptionState, resource: NotifiedResource) =>
  routeEvent({ event_id: 'WH-1', event_type: 'PAYMENT.TEST', resource }, { id: 'sub_1', state });

const refund: NotifiedResource = { kind: 'refund', id: 'R-1', state: 'completed' };
const sale = (state: string): NotifiedResource => ({ kind: 'sale', id: 'S-1', state, updatedAt: now });

describe('an event of a subscription', () => {
  it.each(['cancelled', 'expired'] as const)(
    'starts a run that reads when it comes after it was %s',
    (status) => {
      const shown: NotifiedResource = { kind: 'agreement', id: 'I-1', state: 'Active', updatedAt: now };
      for (const resource of [refund, sale('completed'), sale('refunded'), shown]) {
        const reported = route(subscription(status), resource);
        expect(reported).toMatchObject({ kind: 'startReading' });
        const subject = { environment: 'sandbox', application: 'shop', id: 'sub_1' };
        const run = reported.kind === 'startReading' ? reported.runOf(subject) : undefined;
        expect(run).toMatchObject({ subject, input: { hasEnded: true, order: { subscriptionId: 'sub_1' } } });
      }
    },
  );

  it('says whether it is about a payment, even after the end', () => {
    const aboutPayment = { message: { event: { isAboutPayment: true } } };
    expect(route(subscription('active'), refund)).toMatchObject({ kind: 'signal', ...aboutPayment });
    expect(route(subscription('cancelled'), refund)).toMatchObject(aboutPayment);
  });

  it('is nothing new after the end when the last read is as new', () => {
    const known = {
      kind: 'agreement',
      id: 'I-1',
      state: 'Cancelled',
      updatedAt: billing.updatedAt ?? 0,
    } as const;
    expect(route(subscription('cancelled'), known)).toMatchObject({ kind: 'setStatus', status: 'applied' });
  });

  it.each([
    ['a whole second', 0, 'signal'],
    ['an exact instant', 1, 'setStatus'],
  ])('is news if it shows another state at the instant of the last read: %s', (_what, ms, kind) => {
    const readAt = 1_893_456_000_000 + ms;
    const active = subscription('active', { billing: { ...billing, updatedAt: readAt } });
    const of = (state: string): NotifiedResource => ({
      kind: 'agreement',
      id: 'I-1',
      state,
      updatedAt: readAt,
    });
    expect(route(active, of('Suspended'))).toMatchObject({ kind });
    expect(route(active, of('Active'))).toMatchObject({ kind: 'setStatus', status: 'applied' });
  });

  it('is late for one that was never executed: there is nothing to read', () => {
    expect(route(subscription('lapsed'), refund)).toMatchObject({ kind: 'setStatus', status: 'ignored' });
  });
});
