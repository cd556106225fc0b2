import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import { encryptingDataConverter } from '#payload-codec';
import { Client as Database } from 'pg';
import { PaymentsClient } from '#payments-client';
import { Supervisor } from '#tools/child-processes.js';
import type { Stack } from '#tools/stack.js';
import type { Contender, ContenderName } from '../harness/contender.js';
import { openEngine } from '../engine/engine-contender.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import { openFloor } from '../floor/floor-contender.js';
import { openDbos } from '../dbos/dbos-contender.js';
import { openNaive } from '../naive/naive-contender.js';
import { updatesTaskQueue } from '../updates/updates-activities.js';
import {
  type DatabaseWork,
  beginCounting,
  countingSettings,
  countsSettleMs,
  databaseWork,
} from './database-work.js';
import { freshFolder } from '../harness/fresh-folder.js';
import {
  type BenchOptions,
  type FreshStack,
  apiConfigOfStack,
  openOnFreshStack,
  waitSettings,
} from '../harness/fresh-stack.js';
import { Payer } from '../harness/payer.js';
import { processorMs } from '../harness/processor-time.js';
import { startRivals, type Rivals } from './rivals.js';

/** Processes that take part in a lifecycle. */
export const parts = [
  'temporal',
  'temporalPostgres',
  'worker',
  'enginePostgres',
  'api',
  'sandbox',
  'sandboxPostgres',
  'driver',
] as const;
export type Part = (typeof parts)[number];

/** Everything that one run measures with and against: one stack, one provider, one Temporal. */
export interface Arena {
  readonly stack: Stack;
  readonly contenders: Readonly<Record<ContenderName, Contender>>;
  readonly payer: Payer;
  /** The provider called directly, with nothing around it. */
  readonly provider: PaymentsClient;
  /** Milliseconds that each part has used so far; of the workers, the rivals' are one with ours. */
  processorMs(): Readonly<Record<Part, number>> | undefined;
  /** What the engine's PostgreSQL, where the naive design has its rows, too, has done so far. */
  databaseWork(): Promise<DatabaseWork>;
  /** Without codec. */
  readonly temporal: Client;
  close(): Promise<void>;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openArena(options: BenchOptions): Promise<Arena> {
  const { report } = options;
  const dataFolder = freshFolder('bench');
  return await openOnFreshStack(
    { ...options, dataFolder, env: { api: waitSettings }, engineDatabaseSettings: countingSettings },
    async (fresh) => {
      const rivalsFolder = join(dataFolder, 'rivals');
      const supervisor = await Supervisor.open({ dataFolder: rivalsFolder, onUnexpectedEnd: report });
      try {
        report('starting the rivals …');
        return await openContenders(fresh, await startRivals(supervisor, fresh.stack), supervisor);
      } catch (error) {
        await supervisor.stopAll();
        throw error;
      }
    },
  );
}

async function openContenders(
  { stack, temporal, close }: FreshStack,
  { naiveDatabase, dbosOrigin, provider, workers }: Rivals,
  supervisor: Supervisor,
): Promise<Arena> {
  const { addresses, apiKey } = stack;
  const { connection } = temporal;
  const apiConfig = apiConfigOfStack(stack, waitSettings);
  const encrypting = new Client({ connection, dataConverter: encryptingDataConverter(apiConfig.codecKeys) });
  const contenders: Record<ContenderName, Contender> = {
    ours: await openEngine(apiConfig),
    oursOverHttp: openEngineOverHttp(addresses.api, apiKey),
    naive: await openNaive(encrypting, naiveDatabase),
    updates: openFloor(encrypting, { name: 'updates', taskQueue: updatesTaskQueue }),
    dbos: openDbos(dbosOrigin),
    floor: openFloor(temporal),
  };
  const payer = new Payer(addresses.sandbox);
  const counter = new Database({ connectionString: stack.enginePostgres.url('postgres') });
  await counter.connect();
  await beginCounting(counter);
  return {
    stack,
    contenders,
    payer,
    provider,
    temporal,
    processorMs: () => processorMs(partsOf(stack, workers)),
    async databaseWork() {
      await sleep(countsSettleMs);
      return await databaseWork(counter);
    },
    async close() {
      await counter.end();
      for (const contender of Object.values(contenders)) await contender.close();
      await payer.close();
      await provider.close();
      await supervisor.stopAll();
      await close();
    },
  };
}

function partsOf(stack: Stack, rivals: Rivals['workers']): Record<Part, (number | undefined)[]> {
  return {
    temporal: [stack.temporal?.process.pid],
    temporalPostgres: [stack.temporalPostgres?.process.pid],
    worker: [...stack.workers, ...rivals].map(({ pid }) => pid),
    enginePostgres: [stack.enginePostgres.process.pid],
    api: stack.apis.map(({ pid }) => pid),
    sandbox: [stack.sandbox.pid],
    sandboxPostgres: [stack.sandboxPostgres.process.pid],
    driver: [process.pid],
  };
}
