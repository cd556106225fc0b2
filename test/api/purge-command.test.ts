import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { purge } from '#database/retention';
import { projectRoot } from '#tools/project.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';
import { deliver, event } from './deliveries.js';
import { kept, old, OldRecords } from './old-records.js';

let records: OldRecords;
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  records = new OldRecords(api);
  await api.order();
  await records.reconciledUntil(1);
});

/** `npm run purge`, as it is in the image. */
async function run(retention: object): Promise<string> {
  const env = { ...process.env, DATABASE_URL: api.databaseUrl, RETENTION_DAYS: JSON.stringify(retention) };
  const program = join(projectRoot, 'dist/tools/purge.js');
  return (await promisify(execFile)(process.execPath, [program], { env })).stdout;
}

test('the command ends with what it has deleted, as JSON', async () => {
  await records.ofEachKind('old', { id: null, days: old });
  const last = (await run({ sandbox: kept })).trimEnd().split('\n').at(-1) ?? '';
  expect(JSON.parse(last)).toEqual({
    apiCalls: 1,
    consoleAudit: 1,
    sessions: 0,
    notifications: 1,
    timeline: 0,
    webhookEvents: 1,
    webhookTransmissions: 1,
    seconds: expect.any(Number) as number,
  });
});

test('the command refuses to keep an audit trail for less than a year', async () => {
  await expect(run({ live: { consoleAudit: 364 } })).rejects.toThrow('must be at least 365 days');
});

test('a purge works in small steps while the API takes orders and deliveries', async () => {
  const many = 2_000;
  await sql`insert into api_calls (environment, application, operation, method, path, started_at, duration_ms)
    select 'sandbox', 'shop', 'op', 'GET', 'many', now() - interval '400 days', 1
    from generate_series(1, ${many}::int)`.execute(api.db);
  await sql`insert into webhook_transmissions (environment, application, transmission_id, body_hash, first_at)
    select 'sandbox', 'shop', 'many ' || nth, ''::bytea, now() - interval '400 days'
    from generate_series(1, ${many}::int) nth`.execute(api.db);
  const done = new AbortController();
  const purging = purge(api.db, { sandbox: kept }, { batch: 10, pauseMs: 1 }).finally(() => done.abort());
  let served = 0;
  while (!done.signal.aborted) {
    expect((await api.order()).status).toBeLessThan(300);
    expect((await deliver(api, event({ id: `AUTH-${randomUUID()}` }))).status).toBe(200);
    served += 1;
  }
  expect(served).toBeGreaterThan(3);
  expect(await purging).toMatchObject({ apiCalls: many, webhookTransmissions: many });
});
