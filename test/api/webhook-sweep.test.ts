import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import {
  ApiFixture,
  authorizedState,
  closedAddress,
  useTemporal,
  newsOf,
  signalsOf,
  temporalAt,
} from './api-fixture.js';
import { deliver, event, journalOf, settled, sweep } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

describe('cases 18 and 19: what a dispatcher left behind', () => {
  test('an event of a dispatcher that died with its lease is taken over when the lease ends', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    await api.db
      .insertInto('webhook_events')
      .values({
        environment: 'sandbox',
        application: 'shop',
        event_id: body.id,
        event_type: body.trigger_event,
        resource: JSON.stringify({ kind: 'authorization', id: body.resource.id, state: 'voided' }),
        resource_ids: [String(body.resource.id)],
        payload: '{}',
        status: 'dispatching',
        detail: null,
        subject_id: null,
        due_at: new Date(0),
        status_at: new Date(0),
      })
      .execute();
    await sweep(api, temporal);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ subject_id: id });
    expect(await signalsOf(temporal, id)).toEqual([newsOf(body.id)]);
  });

  test('events are accepted while Temporal is down, and a process that reaches it signals them', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const cutOff = await ApiFixture.start({
      databaseUrl: api.databaseUrl,
      temporal: temporalAt(closedAddress),
    });
    const body = event({ id: state.authorization!.authorizationId });
    expect((await deliver(cutOff, body)).status).toBe(200);
    await until(
      async () => (await journalOf(api)).find((row) => row.event_id === body.id),
      (row) => row?.detail === 'the run could not be signalled yet',
      'the dispatch to be tried',
    );
    await cutOff.close();
    await sweep(api, temporal);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ subject_id: id });
    expect(await signalsOf(temporal, id)).toEqual([newsOf(body.id)]);
  });
});
