import { randomBytes } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { ApiConfig } from '#api/injected/api-config.js';
import { type Database, openDatabase } from '#database/connection';
import { Runs, openTemporalClient } from '#runs';
import { readDevelopmentConfig } from '#tools/development-config.js';
import { freePort } from '#tools/ports.js';
import * as stackEnvironment from '#tools/stack-environment.js';
import type { Stack } from '#tools/stack.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import type { Contender } from '../harness/contender.js';
import {
  type BenchOptions,
  type FreshStack,
  apiConfigOfStack,
  openOnFreshStack,
  waitSettings,
} from '../harness/fresh-stack.js';
import { Payer } from '../harness/payer.js';

/** The application whose deliveries are signed by a provider of the bench's own. */
export const signedApplication = 'signed';
/** No application may have another one's. */
export const signedWebhookSecret = randomBytes(24).toString('base64url');

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

export interface BenchStackOptions extends BenchOptions {
  /** Everything that the stack keeps; deleted at the end. */
  readonly dataFolder: string;
  /** Origin of the provider that signs for the signed application. */
  readonly signingOrigin: string;
}

/**
 * Payments that wait for their payer are not polled during a measurement: the first poll, which makes up for a lost
 * webhook, comes in half a minute, and thousands of payments made at once would all be polled at once, which thousands
 * made in an hour are not.
 */
const withoutPolls = { ...waitSettings, FIRST_POLL_MS: '3600000', LOG_LEVEL: 'info' };

/** @throws Failure in one sentence; nothing is left running then. */
export async function openBenchStack(options: BenchStackOptions): Promise<BenchStack> {
  const sandboxPort = await freePort();
  const api = { ...withoutPolls, PROVIDER_APPLICATIONS: applicationsOf(options, sandboxPort) };
  return await openOnFreshStack({ ...options, ports: { sandbox: sandboxPort }, env: { api } }, (fresh) =>
    waysInto(fresh, apiConfigOfStack(fresh.stack, api)),
  );
}

/** The stack's own application takes the secret in the address for proof, the other one signatures. */
function applicationsOf({ signingOrigin, dataFolder }: BenchStackOptions, sandboxPort: number): string {
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
      webhookSecret: signedWebhookSecret,
      application: signedApplication,
      baseUrl: signingOrigin,
      webhookAuthentication: 'signature',
    },
  ]);
}

function waysInto({ stack, temporal: bareTemporal, close }: FreshStack, config: ApiConfig): BenchStack {
  const { addresses, apiKey } = stack;
  const temporal = openTemporalClient({ ...config.temporal, codecKeys: config.codecKeys, caller: 'api' });
  const db = openDatabase(config.databaseUrl);
  const payer = new Payer(addresses.sandbox);
  const engine = openEngineOverHttp([addresses.api], apiKey);
  return {
    stack,
    engine,
    payer,
    config,
    db,
    temporal,
    bareTemporal,
    runsOn: (taskQueue) => new Runs(temporal, { ...config.temporal, taskQueue }),
    async close() {
      await engine.close();
      await payer.close();
      await db.destroy();
      await temporal.connection.close();
      await close();
    },
  };
}

/** Whether all journaled events were dispatched. */
export async function isAllDispatched(db: Database): Promise<boolean> {
  const left = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', 'in', ['received', 'dispatching'])
    .limit(1)
    .executeTakeFirst();
  return left === undefined;
}

export function paymentIdOf(workflowId: string): string {
  return workflowId.slice(workflowId.lastIndexOf('/') + 1);
}
