import { randomBytes, randomUUID } from 'node:crypto';
import { Client, type WorkflowOptions } from '@temporalio/client';
import { startSandbox } from '#sandbox/sandbox.js';
import type { RunningWorker } from '#worker/worker.js';
import { type CodecKeys, encryptingDataConverter } from '#payload-codec';
import { acceptPayment } from '#database/commands';
import { type Database, openDatabase } from '#database/connection';
import {
  type PaymentIdentity,
  type PaymentRunInput,
  type PaymentSnapshot,
  type RunEvent,
  orderCommandId,
  paymentSignals,
  paymentWorkflowId,
  paymentWorkflowType,
  snapshotQuery,
} from '#workflows/contract/payment.js';
import { asNewRunsDo } from '#workflows/contract/run.js';
import { type PaymentOrder, orderedPayment } from '#workflows/lifecycle/payment';
import { acceptRequest } from '../helpers/accept-request.js';
import { answeredQuery } from '../helpers/answered-query.js';
import { createEngineDatabase, createSandboxDatabase } from '../helpers/database.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { connectToTemporal } from '../helpers/temporal.js';
import { until } from '../helpers/until.js';
import { startTestWorker, testWaitPolicy } from '../helpers/worker.js';

/** Other than usual. */
type InputOfRun = Partial<Pick<PaymentRunInput, 'messagesPerRun' | 'recordsTime' | 'takesEvents'>>;

/** Default: the server's. */
type OptionsOfRun = Pick<WorkflowOptions, 'workflowTaskTimeout'>;

/** Another workflow bundle than that of this test run, another way to Temporal, another encoding. */
type OtherWorker = Pick<
  Parameters<typeof startTestWorker>[0],
  'workflowBundle' | 'inactivePatches' | 'temporalAddress' | 'version'
> &
  Partial<Pick<Parameters<typeof startTestWorker>[0], 'codecKeys'>>;

/** Runs on the real server with a real worker and sandbox, driven by signals as the API would send them. */
export interface RunFixture {
  readonly db: Database;
  readonly sandbox: SandboxAdmin;
  readonly temporal: Client;
  readonly taskQueue: string;
  start(order?: Partial<PaymentOrder>, input?: InputOfRun, options?: OptionsOfRun): Promise<StartedRun>;
  startWorker(other?: OtherWorker): Promise<RunningWorker>;
  /** The one that runs from the start. */
  readonly worker: RunningWorker;
  close(): Promise<void>;
}

export interface StartedRun {
  readonly identity: PaymentIdentity;
  readonly workflowId: string;
  /** As the API does it: a request is accepted first. */
  send(event: RunEvent, id?: string): Promise<void>;
  /** As anybody could who can write to Temporal and has the keys: nothing stands behind it. */
  forge(event: RunEvent, id?: string): Promise<void>;
  approve(): Promise<void>;
  snapshot(): Promise<PaymentSnapshot>;
  reaches(...statuses: string[]): Promise<PaymentSnapshot>;
}

export interface RunFixtureOptions {
  readonly dayLengthMs?: number;
  readonly approval?: 'payer' | 'immediate';
  readonly codecKeys?: CodecKeys;
  /** Of the first worker: that of a proxy, or by default the server's. */
  readonly temporalAddress?: string;
}

export async function startRunFixture(options: RunFixtureOptions = {}): Promise<RunFixture> {
  const { dayLengthMs, approval, codecKeys = randomCodecKeys(), temporalAddress } = options;
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
    ...(dayLengthMs !== undefined && { dayLengthMs }),
    ...(approval && { approval }),
  });
  const taskQueue = `runs-${randomBytes(6).toString('hex')}`;
  const application = {
    environment: 'sandbox' as const,
    application: 'shop',
    baseUrl: service.url,
    clientId,
    clientSecret,
    webhookSecret: randomBytes(24).toString('hex'),
    webhookAuthentication: 'signature' as const,
  };
  const workers: RunningWorker[] = [];
  const launch = async (other: OtherWorker = {}) => {
    // Nothing listens at that address: these tests run without webhooks.
    const publicUrl = 'http://127.0.0.1:9';
    const worker = await startTestWorker({
      databaseUrl: engineDatabase.url,
      taskQueue,
      application,
      codecKeys,
      publicUrl,
      ...other,
    });
    workers.push(worker);
    return worker;
  };
  const first = await launch({ temporalAddress });
  const connection = await connectToTemporal();
  const temporal = new Client({ connection, dataConverter: encryptingDataConverter(codecKeys) });
  const db = openDatabase(engineDatabase.url, { poolSize: 4 });
  const sandbox = new SandboxAdmin(service.url, clientId, clientSecret);
  return {
    db,
    sandbox,
    temporal,
    taskQueue,
    startWorker: launch,
    worker: first,
    start: (...run) => startRun({ db, sandbox, temporal, taskQueue }, ...run),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.close().catch(() => undefined)));
      await service.close();
      await connection.close();
      await db.destroy();
      await Promise.all([engineDatabase.drop(), sandboxDatabase.drop()]);
    },
  };
}

export function randomCodecKeys(): CodecKeys {
  return { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
}

async function startRun(
  {
    db,
    sandbox,
    temporal,
    taskQueue,
  }: { db: Database; sandbox: SandboxAdmin; temporal: Client; taskQueue: string },
  overrides: Partial<PaymentOrder> = {},
  input: InputOfRun = {},
  options: OptionsOfRun = {},
): Promise<StartedRun> {
  const paymentId = `pay_${Date.now().toString(16)}${randomBytes(10).toString('hex')}`;
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
  const urls = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
  await acceptPayment(
    db,
    {
      id: orderCommandId(paymentId),
      environment: 'sandbox',
      application: 'shop',
      idempotencyKey: paymentId,
      bodyHash: '',
      kind: 'create',
      subjectId: paymentId,
      parameters: {},
      requestedBy: 'test',
    },
    { orderId: 'o-1', intent: 'authorize', state: orderedPayment(order, Date.now()), ...urls },
  );
  const workflowId = paymentWorkflowId(identity);
  await temporal.workflow.start(paymentWorkflowType, {
    workflowId,
    taskQueue,
    ...options,
    args: [
      {
        identity,
        order,
        purchase: { orderId: 'o-1', ...urls },
        messagesPerRun: 10_000,
        ...asNewRunsDo,
        ...input,
      },
    ],
  });
  const handle = temporal.workflow.getHandle(workflowId);
  const snapshot = () => answeredQuery(handle, snapshotQuery);
  return {
    identity,
    workflowId,
    snapshot,
    send: async (event, id = randomUUID()) => {
      await acceptRequest(db, identity.paymentId, event);
      await handle.signal(paymentSignals[event.type], { id, event });
    },
    forge: (event, id = randomUUID()) => handle.signal(paymentSignals[event.type], { id, event }),
    approve: async () => {
      const { state } = await until(
        snapshot,
        (seen) => seen.state.providerPaymentId !== undefined,
        'the provider id',
      );
      const payerId =
        new URL(await sandbox.approve(state.providerPaymentId ?? '')).searchParams.get('PayerID') ?? '';
      await handle.signal(paymentSignals.payerApproved, {
        id: `payer-approved:${payerId}`,
        event: { type: 'payerApproved', payerId },
      });
    },
    reaches: (...statuses) =>
      until(
        snapshot,
        ({ state }) => statuses.includes(state.status),
        `${workflowId} to be ${statuses.join(' or ')}`,
        420_000,
      ),
  };
}
