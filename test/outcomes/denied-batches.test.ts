import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '#sandbox/sandbox.js';
import { payoutActivities } from '#worker/payouts/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { type PayoutEffect, orderedPayout } from '#workflows/lifecycle/payout/payout.js';
import { advance } from '#workflows/lifecycle';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { until } from '../helpers/until.js';
import { acceptPayoutTo } from '../payouts/payout-run.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

const owner = { environment: 'sandbox', application: 'shop' } as const;
const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };

let service: RunningSandbox;
let db: Database;
let admin: SandboxAdmin;
let providers: ProviderClients;
let activities: ReturnType<typeof payoutActivities>;
let close: () => Promise<void>;
beforeAll(async () => {
  const [engine, sandbox] = await Promise.all([createEngineDatabase(), createSandboxDatabase()]);
  const defaultApplication = { clientId, clientSecret };
  service = await startSandbox({ databaseUrl: sandbox.url, port: 0, defaultApplication, logLevel: 'silent' });
  db = openDatabase(engine.url, { poolSize: 2 });
  admin = new SandboxAdmin(service.url, clientId, clientSecret);
  await admin.configure({ payoutOutcome: 'denied', payoutPendingMs: 0, payoutProcessingMs: 0 });
  const application = { ...owner, clientId, clientSecret, baseUrl: service.url };
  const webhookSecret = randomBytes(24).toString('hex');
  providers = new ProviderClients([{ ...application, webhookSecret, webhookAuthentication: 'signature' }]);
  const changes = new ChangeAnnouncer(engine.url);
  activities = payoutActivities({ db, providers, changes, runs: noRuns }, codecKeys);
  close = async () => {
    await Promise.all([providers.close(), changes.close()]);
    await service.close();
    await db.destroy();
    await Promise.all([engine.drop(), sandbox.drop()]);
  };
});
afterEach(() => admin.clearFaults());
afterAll(() => close());

const readAll: PayoutEffect = { type: 'observe', items: 'all' };

async function carryOut(input: PayoutStepInput, effect: PayoutEffect): Promise<PayoutStepOutcome> {
  return effect.type === 'observe'
    ? await activities.observePayout(input, effect.items)
    : await activities.createPayout(input);
}

async function step(input: PayoutStepInput, effect: PayoutEffect) {
  const { event, at } = await outcomeOf(carryOut(input, effect));
  const { position, effect: next } = advance(payoutLifecycle, input, event, at);
  return { payout: { ...input, ...position, timeline: [] }, next };
}

/** A payout whose batch the provider has denied; a first read has shown that it was gone through. */
async function goneThrough(): Promise<PayoutStepInput> {
  const { identity, order } = await acceptPayoutTo(db, ['r0@example.com', 'r1@example.com'], { codecKeys });
  const ordered = { identity, state: orderedPayout(order), version: 0, timeline: [] };
  const created = await step(ordered, { type: 'perform', step: { type: 'createPayout' } });
  const batchId = created.payout.state.providerBatchId ?? '';
  await until(
    async () => (await providers.for(identity).payouts.get(batchId)).status,
    (status) => status === 'DENIED',
    'the batch to be denied',
  );
  const { payout, next } = await step(created.payout, { type: 'observe', items: 'open' });
  expect(payout.state.status).toBe('settling');
  expect(next).toEqual(readAll);
  return payout;
}

describe('a denied batch whose items have all ended', () => {
  it.each([
    ['a word that nobody knows', { kind: 'unknown_enum', field: 'batch_header.batch_status' }],
    ['its word of before', { kind: 'reshape', add: { 'batch_header.batch_status': 'PROCESSING' } }],
  ])('is settling as long as it is called by %s, is polled, and ends as denied', async (_, fault) => {
    const before = await goneThrough();
    await admin.fault({ operation: 'payout.get', times: null, ...fault });
    const doubted = await step(before, readAll);
    expect(doubted.payout.state).toEqual(before.state);
    expect(doubted.next).toBeUndefined();
    const due = payoutLifecycle.nextDeadline({ ...doubted.payout.state, polls: 5 });
    expect(due?.event).toEqual({ type: 'pollCameDue' });
    const again = await step(doubted.payout, { type: 'observe', items: 'open' });
    expect(again.payout.state.status).toBe('settling');
    await admin.clearFaults();
    const { payout } = await step(again.payout, { type: 'observe', items: 'open' });
    expect(payout.state).toMatchObject({ status: 'denied', totals: { failed: { count: 2 } } });
  });
});
