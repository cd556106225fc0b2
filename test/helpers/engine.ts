import { createHash, randomBytes } from 'node:crypto';
import { Client } from '@temporalio/client';
import { inject } from 'vitest';
import type { ConsoleUser } from '#api/injected/console-user.js';
import { startApi } from '#api/api.js';
import { startSandbox } from '#sandbox/sandbox.js';
import type { RunningWorker } from '#worker/worker.js';
import type { ProviderApplication } from '#configuration';
import { type Database, openDatabase } from '#database/connection';
import { type CodecKeys, encryptingDataConverter } from '#payload-codec';
import type { WaitPolicy } from '#workflows/lifecycle';
import { freePort } from '#tools/ports.js';
import { createEngineDatabase, createSandboxDatabase } from './database.js';
import { OrderService } from './order-service.js';
import { SandboxAdmin } from './sandbox-admin.js';
import { connectToTemporal, temporalDeadlineMs } from './temporal.js';
import { startTestWorker, testWaitPolicy } from './worker.js';
import { limitsOfTests, ratesOfTests } from './limits-of-tests.js';
import { newSecret } from '#tools/new-secret.js';

export interface EngineOptions {
  /** Length of the provider's day: 29 of them are the capture window. */
  readonly dayLengthMs?: number;
  readonly approval?: 'payer' | 'immediate';
  readonly patience?: Partial<WaitPolicy>;
  readonly withWorker?: boolean;
  /** Keys that other processes of the test use, too; absent: keys of this engine alone. */
  readonly codecKeys?: CodecKeys;
  /** How long a request waits for its outcome. */
  readonly answerWithinMs?: number;
  /** Every minute by default. `often`: every second, with an overlap of three; a run that is gone counts as lost after two. */
  readonly reconciles?: 'often' | 'never';
  /** How often the inbox is swept: every minute by default, every second if `often`. */
  readonly sweeps?: 'often';
  readonly webhookAuthentication?: 'signature' | 'addressSecret';
  /** On the same rows and runs. */
  readonly withSecondApi?: boolean;
  /** Another application at the same provider, with a key of its own. */
  readonly withNeighbour?: boolean;
  /** The most steps that the worker makes at the same time. */
  readonly steps?: number;
  readonly consoleUsers?: readonly ConsoleUser[];
  /** What stands between the engine and the provider. @returns where the engine finds it. */
  readonly through?: (providerUrl: string) => Promise<string>;
}

/** The whole engine in this process, on the real Temporal and PostgreSQL of the test run, against a real sandbox. */
export interface Engine {
  readonly orders: OrderService;
  /** With the key of the other application. */
  readonly neighbour: OrderService;
  readonly sandbox: SandboxAdmin;
  readonly db: Database;
  readonly temporal: Client;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** The registered address, and the intake at the second API if there is one. */
  readonly webhookUrls: readonly [string, ...string[]];
  readonly taskQueue: string;
  readonly databaseUrl: string;
  readonly application: ProviderApplication;
  /** Variables with which another API process serves the same runs. */
  readonly apiVariables: Readonly<Record<string, string>>;
  startWorker(): Promise<RunningWorker>;
  close(): Promise<void>;
}

export async function startEngine(options: EngineOptions = {}): Promise<Engine> {
  const [engineDatabase, sandboxDatabase] = await Promise.all([
    createEngineDatabase(),
    createSandboxDatabase(),
  ]);
  const [clientId, clientSecret, webhookSecret, apiKey] = [
    newSecret(),
    newSecret(),
    newSecret(),
    newSecret(),
  ];
  const sandbox = await startSandbox({
    databaseUrl: sandboxDatabase.url,
    port: 0,
    defaultApplication: { clientId, clientSecret },
    logLevel: 'silent',
    ...(options.dayLengthMs !== undefined && { dayLengthMs: options.dayLengthMs }),
    ...(options.approval && { approval: options.approval }),
  });
  const port = await freePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const taskQueue = `payments-${newSecret().slice(0, 8)}`;
  const codecKey = randomBytes(32);
  const codecKeys = options.codecKeys ?? { current: 'test', keys: new Map([['test', codecKey]]) };
  const application = {
    environment: 'sandbox' as const,
    application: 'shop',
    baseUrl: (await options.through?.(sandbox.url)) ?? sandbox.url,
    clientId,
    clientSecret,
    webhookSecret,
    webhookAuthentication: options.webhookAuthentication ?? 'signature',
  };
  const address = inject('temporalAddress');
  const neighbour = options.withNeighbour ? await addNeighbour(sandbox.url, application) : undefined;
  const neighbourKey = newSecret();
  const apiConfig = {
    host: '127.0.0.1',
    port,
    publicUrl: apiUrl,
    databaseUrl: engineDatabase.url,
    temporal: { address, namespace: 'default', taskQueue, deadlineMs: temporalDeadlineMs },
    applications: [application, ...(neighbour ? [neighbour] : [])],
    apiKeys: [keyOf('shop', apiKey), keyOf('neighbour', neighbourKey)],
    codecKeys,
    patience: { ...testWaitPolicy, ...options.patience },
    answerWithinMs: options.answerWithinMs ?? 60_000,
    payerWaitMs: 60_000,
    callerLimits: limitsOfTests,
    rateLimits: ratesOfTests,
    notifications: { allowsAnyAddress: true },
    ...(options.consoleUsers && { consoleUsers: options.consoleUsers }),
    logLevel: 'silent',
  };
  const ports = options.withSecondApi ? [port, 0] : [port];
  const apis = await Promise.all(ports.map((own) => startApi({ ...apiConfig, port: own })));
  const webhookPath = `/webhooks/sandbox/shop/${webhookSecret}`;
  const workers: RunningWorker[] = [];
  const launchWorker = async () => {
    const worker = await startTestWorker({
      databaseUrl: engineDatabase.url,
      taskQueue,
      application,
      codecKeys,
      publicUrl: apiUrl,
      steps: options.steps,
      sweeps: options.sweeps,
      ...(neighbour && { neighbours: [neighbour] }),
      ...(options.reconciles && { reconciles: options.reconciles }),
    });
    workers.push(worker);
    return worker;
  };
  if (options.withWorker !== false) await launchWorker();
  const db = openDatabase(engineDatabase.url, { poolSize: 4 });
  const connection = await connectToTemporal();
  const temporal = new Client({ connection, dataConverter: encryptingDataConverter(codecKeys) });
  return {
    orders: new OrderService(apiUrl, apiKey),
    neighbour: new OrderService(apiUrl, neighbourKey),
    sandbox: new SandboxAdmin(sandbox.url, clientId, clientSecret),
    db,
    temporal,
    apiUrl,
    apiKey,
    webhookUrls: [`${apiUrl}${webhookPath}`, ...apis.slice(1).map(({ url }) => `${url}${webhookPath}`)],
    taskQueue,
    databaseUrl: engineDatabase.url,
    application,
    apiVariables: {
      TEMPORAL_TASK_QUEUE: taskQueue,
      CODEC_KEYS: `${codecKeys.current}:${codecKey.toString('base64')}`,
    },
    startWorker: launchWorker,
    close: async () => {
      await Promise.all(apis.map((api) => api.close()));
      await Promise.all(workers.map((worker) => worker.close().catch(() => undefined)));
      await deleteSchedules(temporal, taskQueue);
      await sandbox.close();
      await connection.close();
      await db.destroy();
      await Promise.all([engineDatabase.drop(), sandboxDatabase.drop()]);
    },
  };
}

/** They would go on starting runs that nobody takes, on the server that all tests share. */
async function deleteSchedules({ schedule }: Client, taskQueue: string): Promise<void> {
  for await (const { scheduleId } of schedule.list()) {
    if (scheduleId.endsWith(`/${taskQueue}`)) await schedule.getHandle(scheduleId).delete();
  }
}

async function addNeighbour(
  sandboxUrl: string,
  application: ProviderApplication,
): Promise<ProviderApplication> {
  const neighbour = {
    ...application,
    application: 'neighbour',
    clientId: newSecret(),
    clientSecret: newSecret(),
    webhookSecret: newSecret(),
  };
  await new SandboxAdmin(sandboxUrl, neighbour.clientId, neighbour.clientSecret).configure({});
  return neighbour;
}

function keyOf(application: string, key: string) {
  const sha256 = createHash('sha256').update(key).digest('hex');
  return { id: application, sha256, environment: 'sandbox', application };
}
