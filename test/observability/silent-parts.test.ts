import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#database/connection';
import { ProcessMetrics } from '#observability';
import { createEngineDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { holds, samplesIn } from './alert-rules.js';
import { scrape } from './observed-engine.js';

let db: Database;
const database = forAllTests(createEngineDatabase);
beforeAll(() => {
  db = openDatabase(database.url, { poolSize: 2 });
});
afterAll(async () => {
  await db.destroy();
});

async function fires(alert: string, application: string): Promise<boolean | undefined> {
  const owners = [{ environment: 'sandbox', application }];
  const metrics = await ProcessMetrics.serve({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: database.url,
    owners,
  });
  try {
    return holds(alert, samplesIn(await scrape(metrics.url)), application);
  } finally {
    await metrics.close();
  }
}

describe('an alert fires', () => {
  it('when no webhook of an application was ever registered', async () => {
    expect(await fires('EngineWebhookMissing', 'new')).toBe(true);
  });

  it.each([
    ['the search for events', sql`events_searched_at = now() - interval '1 hour'`],
    ['the check of runs', sql`runs_checked_at = now() - interval '1 hour'`],
    ['the comparison', sql`payments_compared_at = now() - interval '1 hour'`],
    [
      'a search that has never finished',
      sql`events_searched_at = null, events_until = now() - interval '1 hour'`,
    ],
  ])('when of reconciliation %s alone stands', async (part, change) => {
    const application = part.replaceAll(' ', '-');
    await sql`insert into reconciliations (environment, application, events_until, timeline_until, events_searched_at,
        runs_checked_at, payments_compared_at)
      values ('sandbox', ${application}, now(), 0, now(), now(), now())`.execute(db);
    expect(await fires('EngineReconciliationStands', application)).toBe(false);
    await sql`update reconciliations set ${change} where application = ${application}`.execute(db);
    expect(await fires('EngineReconciliationStands', application)).toBe(true);
  });
});
