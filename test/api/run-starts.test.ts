import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiFixture, openTemporal, runIdOf } from './api-fixture.js';

let api: ApiFixture;
let temporal: Client;
beforeAll(async () => {
  api = await ApiFixture.start();
  temporal = await openTemporal();
});
afterAll(async () => {
  await temporal.connection.close();
  await api.close();
});

test('an order that is repeated after its run was terminated starts no second run', async () => {
  const key = randomUUID();
  const { body } = await api.order({}, key);
  const handle = temporal.workflow.getHandle(runIdOf(String(body['id'])));
  const first = await handle.describe();
  await handle.terminate();
  const again = await api.order({}, key);
  expect(again).toMatchObject({ status: 202, body: { id: body['id'] } });
  const latest = await handle.describe();
  expect(latest).toMatchObject({ runId: first.runId, status: { name: 'TERMINATED' } });
});
