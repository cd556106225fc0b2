import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '../../apps/sandbox/src/sandbox.js';
import { payoutActivities } from '../../apps/worker/src/payouts/index.js';
import { ProviderClients } from '../../apps/worker/src/provider/provider-clients.js';
import { ChangeAnnouncer } from '../../libs/database/src/changes.js';
import { type Database, migrate, openDatabase } from '../../libs/database/src/database.js';
import { findAttempts } from '../../libs/database/src/transitions.js';
import { payoutLifecycle } from '../../libs/workflows/src/lifecycle/payout/lifecycle.js';
import { orderedPayout } from '../../libs/workflows/src/lifecycle/payout/payout.js';
import { advance } from '../../libs/workflows/src/lifecycle/progress.js';
import { createDatabase } from '../helpers/database.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { until } from '../helpers/until.js';
import { acceptPayoutTo } from '../payouts/payout-run.js';

const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };

let databases: readonly { readonly url: string; drop(): Promise<void> }[];
let service: RunningSandbox;
let db: Database;
let url: string;
beforeAll(async () => {
  const [engine, sandbox] = await Promise.all([createDatabase(), createDatabase()]);
  databases = [engine, sandbox];
  url = engine.url;
  service = await startSandbox({
    databaseUrl: sandbox.url,
    port: 0,
    defaultApplication: { clientId, clientSecret },
    logLevel: 'silent',
  });
  db = openDatabase(url, { poolSize: 2 });
  await migrate(db);
});
afterAll(async () => {
  await service.close();
  await db.destroy();
  await Promise.all(databases.map((database) => database.drop()));
});

function hire() {
  const context = {
    db: openDatabase(url, { poolSize: 2 }),
    changes: new ChangeAnnouncer(url),
    providers: new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        baseUrl: service.url,
        clientId,
        clientSecret,
        webhookSecret: randomBytes(24).toString('hex'),
        webhookAuthentication: 'signature',
      },
    ]),
  };
  return {
    activities: payoutActivities(context, codecKeys),
    /** From here on nothing that it does reaches a row. */
    die: () => context.db.destroy(),
    bury: () => Promise.all([context.providers.close(), context.changes.close()]),
  };
}

it('pays once when the worker dies between the payout and the row that tells of it', async () => {
  const sandbox = new SandboxAdmin(service.url, clientId, clientSecret);
  const { identity, order } = await acceptPayoutTo(db, ['r0@example.com', 'r1@example.com'], { codecKeys });
  const input = { identity, state: orderedPayout(order), version: 0, timeline: [] };
  await sandbox.fault({ kind: 'delay', operation: 'payout.create', delayMs: 3_000 });

  const first = hire();
  const lost = first.activities.createPayout(input).then(
    () => 'written',
    () => 'lost',
  );
  const booked = async () => {
    const response = await fetch(`${service.url}/admin/books/movements?clientId=${clientId}&limit=100`);
    const { movements } = (await response.json()) as { movements: { kind: string; invoiceNumber: string }[] };
    return movements
      .filter(({ invoiceNumber }) => invoiceNumber === identity.payoutId)
      .map(({ kind }) => kind);
  };
  await until(booked, (kinds) => kinds.length > 0, 'the money to have left');
  await first.die();
  expect(await lost).toBe('lost');

  // The next worker is given the same step, for nobody has persisted its outcome.
  const second = hire();
  const found = await second.activities.createPayout(input);
  expect(found.event.type).toBe('outcomeUnknown');
  const doubted = advance(payoutLifecycle, input, found.event, found.at).position;
  const due = payoutLifecycle.nextDeadline(doubted.state);
  const asked = advance(payoutLifecycle, doubted, { type: 'stepCameDue' }, due?.at ?? 0).position;
  const answer = await second.activities.createPayout({ identity, timeline: [], ...asked });
  expect(answer.event.type).toBe('payoutCreated');

  const attempts = await findAttempts(db, identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'answered']);
  expect(new Set(attempts.map(({ request_id }) => request_id)).size).toBe(1);
  expect(await booked()).toEqual(['payout', 'payout']);
  expect(await sandbox.booksAreSound()).toBe(true);
  await second.die();
  await Promise.all([first.bury(), second.bury()]);
});
