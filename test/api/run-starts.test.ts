import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, useTemporal, runIdOf } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

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
