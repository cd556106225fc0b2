import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer } from '#database/connection';
import { countOpenDrift, listDriftOf, recordComparison, openReconciliation } from '#database/reconciliation';
import { writeTransition } from '#database/transitions';
import { EventDispatch } from '#webhook-inbox';
import { BlockedRuns } from '#worker/blocked-runs/blocked-runs.js';
import { Runs, openTemporalClient } from '#runs';
import { json, type ScriptedProvider, startScriptedProvider } from '../client/scripted-provider.js';
import { paymentSubject } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  openEngineDatabase,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

let engine: EngineDatabase;
let provider: ScriptedProvider;
let context: MaintenanceContext;
let close: () => Promise<void>;
beforeAll(async () => {
  engine = await openEngineDatabase();
  provider = await startScriptedProvider();
  const application = {
    ...owner,
    baseUrl: provider.url,
    clientId: 'id',
    clientSecret: 'secret',
    webhookSecret: 'unguessable-unguessable-unguessable',
    webhookAuthentication: 'signature' as const,
  };
  const providers = new ProviderClients([application]);
  const changes = new ChangeAnnouncer(engine.url);
  // Nothing listens there, and payments that have ended have no run to be told.
  const temporal = openTemporalClient({
    address: '127.0.0.1:9',
    namespace: 'default',
    codecKeys: { current: 'test', keys: new Map([['test', Buffer.alloc(32, 1)]]) },
    caller: 'worker',
  });
  const runs = new Runs(temporal, { taskQueue: 'none', deadlineMs: 1_000 });
  context = {
    db: engine.db,
    providers,
    changes,
    runs,
    blockedRuns: new BlockedRuns(temporal, 1_000, async () => true),
    dispatch: new EventDispatch(engine.db, runs),
    applications: [application],
    publicUrl: 'http://127.0.0.1:9',
    logger: pino({ level: 'silent' }),
    reconciliation: {
      applications: [owner],
      publicUrl: 'http://127.0.0.1:9',
      overlapMs: 1,
      graceMs: 1,
      lostAfterMs: 1,
    },
  };
  close = async () => {
    await providers.close();
    await changes.close();
    await temporal.connection.close();
    await provider.close();
    await engine.close();
  };
});
afterAll(() => close());

/** A payment that has ended, whose timeline was not compared yet. */
async function ended(changes: Partial<PaymentState> = {}): Promise<string> {
  return await changed('captured', changes);
}

async function changed(
  status: 'authorized' | 'capturing' | 'captured',
  changes: Partial<PaymentState> = {},
): Promise<string> {
  const identity = await storePayment(engine.db);
  const state = { ...withOwnIds(payment(status), identity), ...changes };
  const entry = {
    version: 1,
    event: 'captureAnswered',
    kind: 'moved',
    from: 'capturing',
    to: 'captured',
    at: 1,
  } as const;
  await writeTransition(engine.db, {
    ...transition(identity, state, 1),
    timeline: [entry],
  });
  return identity.paymentId;
}

async function openDrift(): Promise<[payment: string, theirs: string][]> {
  const rows = await engine.db
    .selectFrom('drift')
    .select(['subject_id', 'theirs'])
    .where('resolved_at', 'is', null)
    .orderBy('subject_id')
    .execute();
  return rows.map(({ subject_id, theirs }) => [subject_id, theirs]);
}

/** What is on record of a payment now: what is shown, and whether it was only not read. */
async function unreadOf(paymentId: string): Promise<Record<string, boolean>> {
  const rows = await listDriftOf(engine.db, paymentId);
  const open = rows.filter(({ resolved_at }) => resolved_at === null);
  return Object.fromEntries(open.map(({ theirs, is_unread }) => [theirs, is_unread]));
}

const cursor = async () => (await openReconciliation(engine.db, owner, 1)).timeline_until;

describe('a payment for which the provider has nothing but errors', () => {
  it('is reported, and does not stop others from being compared', async () => {
    const before = await cursor();
    const broken = await ended();
    // During a call, its run alone may say what has become of it.
    await changed('capturing');
    const others = await Promise.all(Array.from({ length: 6 }, () => ended()));
    provider.script((response, request) => {
      const status = request.path.endsWith(`PAY-${broken}`) ? 500 : 404;
      json(status, { name: 'ERROR', message: 'planted' })(response, request);
    });
    await reconcileSubjects(context, owner);
    expect(await openDrift()).toEqual(
      [[broken, 'no answer'], ...others.map((id) => [id, 'not shown'])].toSorted(([a = ''], [b = '']) =>
        a < b ? -1 : 1,
      ),
    );
    expect(await cursor()).toBeGreaterThan(before);
  });

  it('does not change what was known before while no read is answered', async () => {
    const known = await openDrift();
    const before = await cursor();
    await ended();
    // It is not asked about, which is no answer either.
    await changed('capturing');
    provider.script(json(503, { name: 'SERVICE_UNAVAILABLE', message: 'planted' }));
    await expect(reconcileSubjects(context, owner)).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(await openDrift()).toEqual(known);
    expect(await cursor()).toBe(before);
  });

  it('does not withdraw a difference because of an answer that cannot be read', async () => {
    const paymentId = await ended();
    const differences = [{ field: 'hold', ours: 'captured', theirs: 'voided' }];
    const identity = { ...owner, paymentId };
    await recordComparison(engine.db, {
      subject: paymentSubject(identity),
      comparedWith: 'provider',
      version: 1,
      differences,
    });
    provider.script(json(200, { nothing: 'that is known' }));
    await reconcileSubjects(context, owner);
    const shown = (await openDrift()).filter(([id]) => id === paymentId).map(([, theirs]) => theirs);
    expect(shown.toSorted()).toEqual(['unreadable', 'voided']);
    expect(await unreadOf(paymentId)).toEqual({ unreadable: true, voided: false });
  });

  it('is reported as unread while our records owe a read, and as different once they do not', async () => {
    const paymentId = await ended({ readOwed: true });
    provider.script(json(404, { name: 'INVALID_RESOURCE_ID', message: 'planted' }));
    await reconcileSubjects(context, owner);
    expect(await unreadOf(paymentId)).toEqual({ 'not shown': true });
    expect(await countOpenDrift(engine.db, owner)).toMatchObject({ unread: expect.any(Number) });

    const identity = { ...owner, paymentId };
    const read = transition(identity, withOwnIds(payment('captured'), identity), 2);
    await writeTransition(engine.db, { ...read, knownStatus: 'captured' });
    await reconcileSubjects(context, owner);
    expect(await unreadOf(paymentId)).toEqual({ 'not shown': false });
  });
});

describe('an open payment whose run cannot be told that the provider shows it otherwise', () => {
  it('is compared again, and is not called unanswered beside others that are compared', async () => {
    const before = await cursor();
    const paymentId = await changed('authorized');
    await ended();
    provider.script(json(404, { name: 'INVALID_RESOURCE_ID', message: 'planted' }));
    await expect(reconcileSubjects(context, owner)).rejects.toMatchObject({ name: 'TemporalAwayError' });
    expect((await openDrift()).filter(([id]) => id === paymentId)).toEqual([]);
    expect(await cursor()).toBe(before);
  });
});
