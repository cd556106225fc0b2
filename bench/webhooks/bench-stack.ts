import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { ApiConfig } from '../../apps/api/src/api-config.js';
import { apiConfigOf, apiEnvironment } from '../../apps/api/src/environment.js';
import { readEnvironment } from '../../libs/configuration/src/environment.js';
import { type Database, openDatabase } from '../../libs/database/src/database.js';
import { Runs } from '../../libs/runs/src/runs.js';
import { openTemporalClient } from '../../libs/runs/src/temporal-client.js';
import { readDevelopmentConfig } from '../../tools/development-config.js';
import { freePort } from '../../tools/ports.js';
import { deleteDataFolder } from '../../tools/postgres-installation.js';
import * as stackEnvironment from '../../tools/stack-environment.js';
import { startStack, type Stack } from '../../tools/stack.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import type { ArenaOptions } from '../harness/arena.js';
import type { Contender } from '../harness/contender.js';
import { Payer } from '../harness/payer.js';

/** The application whose deliveries are signed by a provider of the bench's own. */
export const signedApplication = 'signed';

/** One whole system, and the ways into it. */
export interface BenchStack {
  readonly stack: Stack;
  /** The engine over HTTP. */
  readonly engine: Contender;
  readonly payer: Payer;
  readonly config: ApiConfig;
  readonly db: Database;
  /** With the engine's codec. */
  readonly temporal: Client;
  /** Without. */
  readonly bareTemporal: Client;
  /** Starts and signals as the API does, runs of the task queue given. */
  runsOn(taskQueue: string): Runs;
  close(): Promise<void>;
}

export interface BenchStackOptions extends ArenaOptions {
  /** Everything that the stack keeps; deleted at the end. */
  readonly folder: string;
  /** Origin of the provider that signs for the signed application. */
  readonly signingOrigin: string;
}

/**
 * A busy machine is measured, not cut off: each answer is waited for. Payments that wait for their payer are not polled
 * meanwhile: the first poll, which makes up for a lost webhook, comes in half a minute, and thousands of payments made
 * at once would all be polled at once, which thousands made in an hour are not.
 */
const patience = {
  ANSWER_WITHIN_MS: '60000',
  PAYER_WAIT_MS: '60000',
  TEMPORAL_DEADLINE_MS: '30000',
  FIRST_POLL_MS: '3600000',
  LOG_LEVEL: 'info',
};

/** @throws Failure in one sentence; nothing is left running then. */
export async function openBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const { folder, report, signal, temporal } = options;
  const dataFolder = join(folder, 'stack');
  const sandboxPort = await freePort();
  const apiVariables = {
    ...patience,
    PROVIDER_APPLICATIONS: applicationsOf(options, dataFolder, sandboxPort),
  };
  const stack = await startStack({
    dataFolder,
    report,
    onUnexpectedEnd: report,
    signal,
    ports: { sandbox: sandboxPort },
    env: { api: apiVariables },
    webUi: false,
    ...(typeof temporal === 'string' ? { temporal } : { temporalElsewhere: temporal }),
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    deleteDataFolder(dataFolder);
    deleteDataFolder(folder);
  };
  try {
    return await openWays(stack, apiVariables, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The stack's own application takes the secret in the address for proof, the other one signatures. */
function applicationsOf(
  { signingOrigin }: BenchStackOptions,
  dataFolder: string,
  sandboxPort: number,
): string {
  const { clientId, clientSecret, webhookSecret } = readDevelopmentConfig(dataFolder);
  const credentials = {
    environment: stackEnvironment.environmentName,
    clientId,
    clientSecret,
    webhookSecret,
  };
  return JSON.stringify([
    {
      ...credentials,
      application: stackEnvironment.applicationName,
      baseUrl: `http://127.0.0.1:${sandboxPort}`,
      webhookAuthentication: 'addressSecret',
    },
    {
      ...credentials,
      application: signedApplication,
      baseUrl: signingOrigin,
      webhookAuthentication: 'signature',
    },
  ]);
}

async function openWays(
  stack: Stack,
  apiVariables: Readonly<Record<string, string>>,
  stop: () => Promise<void>,
): Promise<BenchStack> {
  const { addresses, apiKey } = stack;
  const environment = stackEnvironment.apiEnvironment(addresses, stack.config, addresses.api);
  const config = apiConfigOf(readEnvironment(apiEnvironment, { ...environment, ...apiVariables }));
  const temporal = openTemporalClient({ ...config.temporal, codecKeys: config.codecKeys, caller: 'api' });
  const connection = await Connection.connect({ address: addresses.temporalAddress });
  const db = openDatabase(config.databaseUrl);
  const payer = new Payer(addresses.sandbox);
  const engine = openEngineOverHttp(addresses.api, apiKey);
  return {
    stack,
    engine,
    payer,
    config,
    db,
    temporal,
    bareTemporal: new Client({ connection }),
    runsOn: (taskQueue) => new Runs(temporal, { ...config.temporal, taskQueue }),
    async close() {
      await engine.close();
      await payer.close();
      await db.destroy();
      await connection.close();
      await temporal.connection.close();
      await stop();
    },
  };
}

/** Works through a list, some at a time. */
export async function abreast<T>(
  items: readonly T[],
  count: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: count }, lane));
}

/** Looks often, because what it waits for is timed; the look must be cheap. */
export async function until(isSo: () => Promise<boolean>, everyMs = 10): Promise<void> {
  while (!(await isSo())) await sleep(everyMs);
}

export function paymentIdOf(workflowId: string): string {
  return workflowId.slice(workflowId.lastIndexOf('/') + 1);
}
