import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '#database/connection';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { deliver, event, journalOf } from './deliveries.js';

/** Of the API's ten connections: what one line may hold. */
const share = 6;
const visitors = 100;

let holder: Database;
const api = forAllTests(() => ApiFixture.start());
beforeAll(() => {
  holder = openDatabase(api.databaseUrl, { poolSize: 1, idleInTransactionMs: 0 });
});
afterAll(async () => {
  await holder.destroy();
});

test('a webhook is accepted and its run is signalled while many payers’ requests wait for the database', async () => {
  const id = await api.paymentWith({
    status: 'awaiting_approval',
    providerPaymentId: 'PAY-1',
    approvalToken: 'EC-1',
  });
  const cancel = async () =>
    (await api.call('GET', `/v1/payments/${id}/cancel?token=EC-1`, { apiKey: null })).status;
  const state = authorizedState();
  await api.paymentWith(state);
  const body = event({ id: state.authorization!.authorizationId });
  const over = new AbortController();
  const comeBackAgain = async () => {
    while (!over.signal.aborted) expect([303, 429, 503]).toContain(await cancel());
  };
  const { visits } = await holder.transaction().execute(async (transaction) => {
    await sql`select from payments where id = ${id} for update`.execute(transaction);
    const flood = Promise.all(Array.from({ length: visitors }, comeBackAgain));
    try {
      await expect.poll(() => waitingForLocks(api.db)).toBe(share);
      expect((await deliver(api, body)).status).toBe(200);
      const dispatched = async () =>
        (await journalOf(api)).map(({ status, detail }) => `${status}: ${detail}`);
      await expect.poll(dispatched).toEqual(['applied: signalled']);
    } finally {
      over.abort();
    }
    return { visits: flood };
  });
  await visits;
  expect(await cancel()).toBe(303);
});
