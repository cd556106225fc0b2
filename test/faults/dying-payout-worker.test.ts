import { randomBytes } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type RunningSandbox, startSandbox } from '#sandbox/sandbox.js';
import { payoutActivities } from '#worker/payouts/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import { findAttempts } from '#database/transitions';
import type { PayoutStepInput } from '#workflows/contract';
import { payoutLifecycle, orderedPayout } from '#workflows/lifecycle/payout';
import { advance } from '#workflows/lifecycle';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { until } from '../helpers/until.js';
import { acceptPayoutTo } from '../payouts/payout-run.js';
import { findSealedLetters } from '#database/subjects';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };

let databases: readonly { readonly url: string; drop(): Promise<void> }[];
let service: RunningSandbox;
let db: Database;
let url: string;
beforeAll(async () => {
  const [engine, sandbox] = await Promise.all([createEngineDatabase(), createSandboxDatabase()]);
  databases = [engine, sandbox];
  url = engine.url;
  service = await startSandbox({
    databaseUrl: sandbox.url,
    port: 0,
    defaultApplication: { clientId, clientSecret },
    logLevel: 'silent',
  });
  db = openDatabase(url, { poolSize: 2 });
});
afterEach(() => sandbox().clearFaults());
afterAll(async () => {
  await service.close();
  await db.destroy();
  await Promise.all(databases.map((database) => database.drop()));
});

function hire(baseUrl: string = service.url) {
  const context = {
    db: openDatabase(url, { poolSize: 2 }),
    changes: new ChangeAnnouncer(url),
    runs: noRuns,
    providers: new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        baseUrl,
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
type Hired = ReturnType<typeof hire>;

async function ordered(...receivers: string[]): Promise<PayoutStepInput> {
  const { identity, order } = await acceptPayoutTo(db, receivers, { codecKeys });
  return { identity, state: orderedPayout(order), version: 0, timeline: [] };
}

const sandbox = () => new SandboxAdmin(service.url, clientId, clientSecret);

async function booksOf({ identity: { payoutId } }: PayoutStepInput): Promise<string[]> {
  const response = await fetch(`${service.url}/admin/books/movements?clientId=${clientId}&limit=100`);
  const { movements } = (await response.json()) as { movements: { kind: string; invoiceNumber: string }[] };
  return movements.filter(({ invoiceNumber }) => invoiceNumber === payoutId).map(({ kind }) => kind);
}

/** Whatever it was about to write is lost with it. */
async function dies(worker: Hired, atWork: Promise<unknown>): Promise<void> {
  const lost = atWork.then(
    () => 'written',
    () => 'lost',
  );
  await worker.die();
  expect(await lost).toBe('lost');
}

/** The next worker is given the same step, for nobody has persisted its outcome; then the one that falls due. */
async function carryOn({ activities }: Hired, input: PayoutStepInput): Promise<PayoutStepInput> {
  const found = await outcomeOf(activities.createPayout(input));
  expect(found.event.type).toBe('outcomeUnknown');
  const doubted = advance(payoutLifecycle, input, found.event, found.at).position;
  const due = payoutLifecycle.nextDeadline(doubted.state);
  const asked = advance(payoutLifecycle, doubted, { type: 'stepCameDue' }, due?.at ?? 0).position;
  return { identity: input.identity, timeline: [], ...asked };
}

async function retire(...workers: Hired[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.die()));
  await Promise.all(workers.map((worker) => worker.bury()));
}

it('pays once when the worker dies between the payout and its row', async () => {
  const input = await ordered('r0@example.com', 'r1@example.com');
  await sandbox().fault({ kind: 'delay', operation: 'payout.create', delayMs: 10_000 });
  const first = hire();
  const atWork = first.activities.createPayout(input);
  await until(
    () => booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to have left',
  );
  const burial = dies(first, atWork);

  const second = hire();
  const answer = await outcomeOf(second.activities.createPayout(await carryOn(second, input)));
  expect(answer.event.type).toBe('payoutCreated');

  const attempts = await findAttempts(db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'answered']);
  expect(new Set(attempts.map(({ request_id }) => request_id)).size).toBe(1);
  expect(await booksOf(input)).toEqual(['payout', 'payout']);
  expect(await sandbox().booksAreSound()).toBe(true);
  await burial;
  await retire(first, second);
});

it('pays once when the worker dies before its payout has reached the provider', async () => {
  const input = await ordered('r0@example.com');
  const silence = createServer((socket) => void socket.on('error', () => {}));
  await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
  const first = hire(`http://127.0.0.1:${(silence.address() as AddressInfo).port}`);
  const atWork = first.activities.createPayout(input);
  await until(
    () => findAttempts(db, input.identity.payoutId, 'create'),
    (attempts) => attempts.length > 0,
    'the attempt to be begun',
  );
  const burial = dies(first, atWork);

  const second = hire();
  const again = await carryOn(second, input);
  expect((await outcomeOf(second.activities.createPayout(again))).event.type).toBe('payoutCreated');
  await until(
    () => booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to leave',
  );
  expect(await booksOf(input)).toEqual(['payout']);
  silence.close();
  await Promise.all([burial, first.bury()]);
  await retire(second);
});

it('uses a late answer when the receivers were already deleted and nothing can be sent again', async () => {
  const input = await ordered('r0@example.com');
  await sandbox().fault({ kind: 'delay', operation: 'payout.create', delayMs: 10_000 });
  const first = hire();
  const answered = first.activities.createPayout(input);
  await until(
    () => booksOf(input),
    (kinds) => kinds.length > 0,
    'the money to have left',
  );
  const second = hire();
  const again = await carryOn(second, input);
  expect((await outcomeOf(answered)).event.type).toBe('payoutCreated');
  expect(await findSealedLetters(db, input.identity.payoutId)).toBeUndefined();

  const creations = async () =>
    (await sandbox().calls('limit=100')).filter(({ operation }) => operation === 'payout.create');
  const before = await creations();
  const outcome = await outcomeOf(second.activities.createPayout(again));
  expect(outcome.event).toEqual((await outcomeOf(answered)).event);
  expect(advance(payoutLifecycle, again, outcome.event, outcome.at).position.state.status).toBe('processing');
  expect(await creations()).toHaveLength(before.length);
  expect(await booksOf(input)).toEqual(['payout']);
  await retire(first, second);
});

it('leaves a step open for a decision when its repeat is refused for another reason', async () => {
  const input = await ordered('r0@example.com');
  await sandbox().fault({ kind: 'drop_reply', operation: 'payout.create', times: null });
  const worker = hire();
  const again = await carryOn(worker, input);
  await sandbox().clearFaults();
  await sandbox().fault({ kind: 'status', operation: 'payout.create', status: 422, times: null });
  const refused = await outcomeOf(worker.activities.createPayout(again));
  expect(refused.event).toMatchObject({ type: 'outcomeUnknown', refusal: 'UNPROCESSABLE_ENTITY' });
  const attempts = await findAttempts(db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);

  const doubted = advance(payoutLifecycle, again, refused.event, refused.at).position;
  const decided = {
    commandId: 'cmd_1',
    decision: 'did_not_happen',
    reason: 'Not in the dashboard.',
  } as const;
  const { event } = await outcomeOf(
    worker.activities.verifyPayoutDecision({ ...input, ...doubted, timeline: [] }, decided),
  );
  expect(event).toMatchObject({ type: 'decisionRefused', code: 'too_early' });
  await retire(worker);
});

it('pays once when the worker dies after the row was written, and before Temporal knows', async () => {
  const input = await ordered('r0@example.com');
  const first = hire();
  const answer = await outcomeOf(first.activities.createPayout(input));
  await first.die();

  const second = hire();
  expect((await outcomeOf(second.activities.createPayout(input))).event).toEqual(answer.event);
  const attempts = await findAttempts(db, input.identity.payoutId, 'create');
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered']);
  await retire(first, second);
});
