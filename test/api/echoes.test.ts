import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { type NewWebhookEvent, journalWebhookEvent } from '#database/events';
import { Runs } from '#runs';
import { EventDispatch } from '#webhook-inbox';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, useTemporal, newsOf, signalsOf } from './api-fixture.js';
import { settled } from './deliveries.js';

let dispatch: EventDispatch;
const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();
beforeAll(() => {
  dispatch = new EventDispatch(api.db, new Runs(temporal, { taskQueue: 'nobody-polls', deadlineMs: 60_000 }));
});

const voided = (state: Partial<PaymentState>): NewWebhookEvent => ({
  environment: 'sandbox',
  application: 'shop',
  eventId: `WH-${randomUUID()}`,
  eventType: 'PAYMENT.AUTHORIZATION.VOIDED',
  resource: { kind: 'authorization', id: state.authorization!.authorizationId, state: 'voided' },
  resourceIds: [state.authorization!.authorizationId],
  payload: {},
});

describe('an event that was left for a while', () => {
  test('tells its run nothing if the rows have it by now, and needs no lease', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const event = voided(state);
    const journaled = await journalWebhookEvent(api.db, event);
    await api.moveTo(id, { ...state, status: 'voided', released: true });
    await dispatch.dispatchEcho(journaled.id);
    expect(await settled(api, event.eventId, 'applied')).toMatchObject({
      subject_id: id,
      detail: 'nothing new',
      dispatches: 0,
    });
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is signalled to its run if it has news', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const event = voided(state);
    const journaled = await journalWebhookEvent(api.db, event);
    await dispatch.dispatchEcho(journaled.id);
    expect(await settled(api, event.eventId, 'applied')).toMatchObject({
      detail: 'signalled',
      dispatches: 1,
    });
    expect(await signalsOf(temporal, id)).toEqual([newsOf(event.eventId)]);
  });
});
