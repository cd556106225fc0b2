import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '#sandbox/sandbox.js';
import { payoutActivities } from '#worker/payouts/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import { listPayoutItems } from '#database/subjects';
import type { RunStart } from '#workflows/contract';
import type { PayoutMessage, PayoutStepInput } from '#workflows/contract/payout.js';
import { advance } from '#workflows/lifecycle';
import { isTerminal, payoutLifecycle } from '#workflows/lifecycle/payout';
import { type PayoutEffect, type PayoutEvent, orderedPayout } from '#workflows/lifecycle/payout/payout.js';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { noRuns } from '../helpers/no-runs.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { acceptPayoutTo } from '../payouts/payout-run.js';

const owner = { environment: 'sandbox', application: 'shop' } as const;
const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
/** Reads lag for a moment, and polls are soon due. */
const patience = { outcomeHorizonMs: 100, firstPollMs: 50, firstLookMs: 20 };

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
  await admin.configure({ payoutPendingMs: 0, payoutProcessingMs: 0 });
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

async function carryOut(input: PayoutStepInput, effect: PayoutEffect) {
  if (effect.type === 'observe') return await activities.observePayout(input, effect.items);
  return await activities.createPayout(input);
}

/** Carries out an effect, and all to which it leads. */
async function follow(input: PayoutStepInput, first: PayoutEffect | undefined): Promise<PayoutStepInput> {
  let payout = input;
  for (let effect = first; effect;) {
    const { event, at } = await outcomeOf(carryOut(payout, effect));
    const next = advance(payoutLifecycle, payout, event, at);
    payout = { ...payout, ...next.position, timeline: [] };
    ({ effect } = next);
  }
  return payout;
}

async function take(payout: PayoutStepInput, event: PayoutEvent): Promise<PayoutStepInput> {
  const { position, effect } = advance(payoutLifecycle, payout, event, Date.now());
  return await follow({ ...payout, ...position }, effect);
}

/** Takes its deadlines, as its run would, until it has ended and nothing is due any more. */
async function liveOn(from: PayoutStepInput): Promise<PayoutStepInput> {
  let payout = from;
  for (let taken = 0; taken < 100; taken += 1) {
    const due = payoutLifecycle.nextDeadline(payout.state);
    if (!due) return payout;
    await wait(Math.max(0, due.at - Date.now()));
    payout = await take(payout, due.event);
  }
  throw new Error(`is ${payout.state.status} for ever: ${JSON.stringify(payout.state)}`);
}

async function paid(): Promise<PayoutStepInput> {
  const receivers = ['r0+success@example.com', 'r1+success@example.com'];
  const { identity, order } = await acceptPayoutTo(db, receivers, { codecKeys, patience });
  const ordered = { identity, state: orderedPayout(order), version: 0, timeline: [] };
  const payout = await liveOn(await follow(ordered, { type: 'perform', step: { type: 'createPayout' } }));
  expect(payout.state).toMatchObject({ status: 'completed', totals: { success: { count: 2 } } });
  return payout;
}

const statusesOf = async ({ identity: { payoutId } }: PayoutStepInput) =>
  (await listPayoutItems(db, payoutId)).map(({ status }) => status);

async function changeFirst({ identity: { payoutId } }: PayoutStepInput, what: string): Promise<void> {
  const [item] = await listPayoutItems(db, payoutId);
  const address = `${service.url}/admin/payouts-item/${item?.provider_item_id}/${what}`;
  expect((await fetch(address, { method: 'POST' })).status).toBeLessThan(300);
}

/** The next answers show the batch as it was, or not all of it. */
const reads = async (times: number, fault: Record<string, unknown>) =>
  await admin.fault({ operation: 'payout.get', kind: 'reshape', times, ...fault });
const asBefore = { add: { 'items[0].transaction_status': 'SUCCESS' } };

it.each([
  ['lacks the item', { remove: ['items[0]'] }],
  ['lists nothing', { add: { items: [] } }],
])('an item that came back is shown, although the first read lags and the next one %s', async (_, fault) => {
  const payout = await paid();
  await changeFirst(payout, 'refund');
  await reads(1, asBefore);
  const eventType = 'PAYMENT.PAYOUTS-ITEM.REFUNDED';
  const told = await take(payout, { type: 'providerNotified', eventType, isOfEndedItem: true });
  expect(await statusesOf(told)).toEqual(['success', 'success']);
  await reads(1, fault);
  const read = await liveOn(told);
  expect(await statusesOf(read)).toEqual(['refunded', 'success']);
  expect(isTerminal(read.state.status)).toBe(true);
});

/** What a comparison with the provider tells the run of a payout. */
async function toldByComparison({ identity: { payoutId } }: PayoutStepInput): Promise<PayoutMessage> {
  const told = new Map<string, PayoutMessage>();
  const runs = {
    startAgainWithMessage: async ({ subject }: RunStart, message: PayoutMessage) =>
      void told.set(subject.id, message),
  };
  const reconciliation = { applications: [owner], overlapMs: 1, graceMs: 1, lostAfterMs: 1 };
  const context = { db, providers, runs, logger: pino({ level: 'silent' }), reconciliation };
  await reconcileSubjects(context as unknown as MaintenanceContext, owner);
  const message = told.get(payoutId);
  if (!message) throw new Error('the comparison has told nobody');
  return message;
}

it('a reversal, of which no event comes, is shown although the read after the comparison lags', async () => {
  const payout = await paid();
  await changeFirst(payout, 'reverse');
  const { event } = await toldByComparison(payout);
  await reads(1, asBefore);
  const read = await liveOn(await take(payout, event));
  expect(await statusesOf(read)).toEqual(['reversed', 'success']);
});
