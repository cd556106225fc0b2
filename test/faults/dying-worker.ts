import { randomBytes } from 'node:crypto';
import { startSandbox } from '#sandbox/sandbox.js';
import type { ActivityContext } from '#worker/steps/activities/context.js';
import { paymentActivities } from '#worker/payments/index.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer, type Database, openDatabase } from '#database/connection';
import { acceptPayment } from '#database/commands';
import { type PaymentIdentity, type StepOutcome, orderCommandId, type RunMessage } from '#workflows/contract';
import { type PaymentOrder, orderedPayment } from '#workflows/lifecycle/payment';
import type { Effect, PaymentEvent } from '#workflows/lifecycle/payment/event.js';
import type { TimelineEntry } from '#workflows/lifecycle';
import { type Position, advance } from '#workflows/lifecycle/payment/lifecycle.js';
import { acceptRequest } from '../helpers/accept-request.js';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { testWaitPolicy } from '../helpers/worker.js';

const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
const urls = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };

/**
 * Workers that carry a payment on from what Temporal had persisted. What one of them learned and did within a workflow
 * task is forgotten when it dies; its rows, and what the provider did, are not.
 */
export interface Stage {
  readonly sandbox: SandboxAdmin;
  /** The movements of the stage's payment. */
  readonly books: () => ReturnType<SandboxAdmin['booksOf']>;
  readonly databaseUrl: string;
  readonly db: Database;
  readonly identity: PaymentIdentity;
  /** The payment as it was ordered. */
  readonly ordered: Position;
  /** @param taskStartedAt of the workflow task that it has; without it, nobody's rows are known to be newer. */
  hireWorker(taskStartedAt?: number): StageWorker;
  close(): Promise<void>;
}

export interface StageWorker {
  /** Carries out an effect and what follows from it, as the workflow does, up to the next wait. */
  follow(position: Position, effect: Effect): Promise<Position>;
  /** Carries out an effect, writes what it found, and dies with it: the history never has it. */
  lose(position: Position, effect: Effect): Promise<void>;
  /** Takes an event and follows what it asks for. */
  take(position: Position, event: PaymentEvent): Promise<Position>;
  /** What it has told the run. */
  readonly reported: readonly RunMessage[];
  /** From here on nothing that it does reaches a row; a call of its that is in flight stays there. */
  die(): Promise<void>;
  /** Clears away what is left of it; waits for its calls in flight. */
  bury(): Promise<void>;
}

export async function openStage(overrides: Partial<PaymentOrder> = {}): Promise<Stage> {
  const [engineDatabase, sandboxDatabase] = await Promise.all([
    createEngineDatabase(),
    createSandboxDatabase(),
  ]);
  const [clientId, clientSecret] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const service = await startSandbox({
    databaseUrl: sandboxDatabase.url,
    port: 0,
    defaultApplication: { clientId, clientSecret },
    logLevel: 'silent',
  });
  const db = openDatabase(engineDatabase.url, { poolSize: 2 });
  const paymentId = `pay_${randomBytes(16).toString('hex')}`;
  const identity = { environment: 'sandbox', application: 'shop', paymentId };
  const order: PaymentOrder = {
    paymentId,
    amount: { minor: 10_000, currency: 'USD' },
    capturePolicy: { mode: 'manual' },
    expiryPolicy: { action: 'void' },
    approvalBy: Date.now() + 600_000,
    patience: testWaitPolicy,
    ...overrides,
  };
  const ordered = { state: orderedPayment(order, Date.now()), version: 0 };
  await acceptOrder(db, identity, ordered);
  const workers: StageWorker[] = [];
  const sandbox = new SandboxAdmin(service.url, clientId, clientSecret);
  return {
    sandbox,
    books: () => sandbox.booksOf(paymentId),
    databaseUrl: engineDatabase.url,
    db,
    identity,
    ordered,
    hireWorker: (taskStartedAt) => {
      const provider = { baseUrl: service.url, clientId, clientSecret };
      const worker = hire(engineDatabase.url, provider, identity, taskStartedAt);
      workers.push(worker);
      return worker;
    },
    close: async () => {
      // The service first: it lets go of the calls that it holds.
      await service.close();
      await Promise.all(workers.map((worker) => worker.bury()));
      await db.destroy();
      await Promise.all([engineDatabase.drop(), sandboxDatabase.drop()]);
    },
  };
}

async function acceptOrder(db: Database, identity: PaymentIdentity, { state }: Position): Promise<void> {
  const { environment, application, paymentId } = identity;
  await acceptPayment(
    db,
    {
      id: orderCommandId(paymentId),
      environment,
      application,
      idempotencyKey: paymentId,
      bodyHash: '',
      kind: 'create',
      subjectId: paymentId,
      parameters: {},
      requestedBy: 'test',
    },
    { orderId: 'o-1', intent: 'authorize', state, ...urls },
  );
}

function hire(
  databaseUrl: string,
  provider: { baseUrl: string; clientId: string; clientSecret: string },
  identity: PaymentIdentity,
  taskStartedAt: number | undefined,
): StageWorker {
  const reported: RunMessage[] = [];
  const context: ActivityContext & { db: Database } = {
    db: openDatabase(databaseUrl, { poolSize: 2 }),
    changes: new ChangeAnnouncer(databaseUrl),
    runs: {
      signal: async (_subject, message) => {
        reported.push(message);
        return true;
      },
    },
    providers: new ProviderClients([
      {
        environment: 'sandbox',
        application: 'shop',
        webhookSecret: randomBytes(24).toString('hex'),
        webhookAuthentication: 'signature',
        ...provider,
      },
    ]),
  };
  const activities = paymentActivities(context, codecKeys);
  const carryOut = (
    position: Position,
    effect: Effect,
    timeline: readonly TimelineEntry[],
    before: Position,
  ): Promise<StepOutcome> => {
    const task = taskStartedAt === undefined ? {} : { taskStartedAt, knownStatus: before.state.status };
    const input = { identity, ...position, timeline, before, ...task };
    if (effect.type === 'observe') return activities.observePayment(input);
    if (effect.type === 'lookUp') return activities.lookUpOutcome(input, effect.hint);
    if (effect.type === 'verifyDecision') return activities.verifyDecision(input, effect.decided);
    const { type } = effect.step;
    return type === 'createPayment'
      ? activities.createPayment(input, { orderId: 'o-1', ...urls })
      : activities[type](input);
  };
  const follow = async (
    from: Position,
    first: Effect,
    unwritten: readonly TimelineEntry[] = [],
    before = from,
  ): Promise<Position> => {
    let [position, timeline] = [from, unwritten];
    for (let effect: Effect | undefined = first; effect;) {
      const result = await carryOut(position, effect, timeline, before);
      if ('ended' in result) return result.ended;
      // Its task is over: what it does from here on is nobody's.
      if ('isLate' in result) return position;
      const { event, at } = result;
      timeline = [];
      ({ position, effect } = advance(position, event, at));
    }
    return position;
  };
  let death: Promise<void> | undefined;
  const die = () => (death ??= context.db.destroy());
  return {
    follow,
    lose: async (position, effect) => {
      await carryOut(position, effect, [], position);
      await die();
    },
    take: async (from, event) => {
      await acceptRequest(context.db, identity.paymentId, event);
      const { position, entry, effect } = advance(from, event, Date.now());
      return effect ? follow(position, effect, entry ? [entry] : [], from) : position;
    },
    reported,
    die,
    bury: async () => {
      await die();
      await Promise.all([context.providers.close(), context.changes.close()]);
    },
  };
}
