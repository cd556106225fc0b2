import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { encryptingDataConverter } from '#payload-codec';
import { PaymentsClient } from '#payments-client';
import { Supervisor } from '#tools/child-processes.js';
import type { Stack } from '#tools/stack.js';
import type { Contender } from './contender.js';
import { openEngine } from '../engine/engine-contender.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import { openFloor } from '../floor/floor-contender.js';
import { openNaive } from '../naive/naive-contender.js';
import { freshFolder } from './fresh-folder.js';
import {
  type BenchOptions,
  type FreshStack,
  apiConfigOfStack,
  openOnFreshStack,
  patience,
} from './fresh-stack.js';
import { Payer } from './payer.js';
import { processorMs } from './processor-time.js';
import { startRivals, type Rivals } from './rivals.js';

/** Everything that one run measures with and against: one stack, one provider, one Temporal. */
export interface Arena {
  readonly stack: Stack;
  readonly ours: Contender;
  readonly oursOverHttp: Contender;
  readonly naive: Contender;
  readonly floor: Contender;
  readonly payer: Payer;
  /** The provider called directly, with nothing around it. */
  readonly provider: PaymentsClient;
  /** Milliseconds that all parts have used so far, this process and the rivals' workers included. */
  processorMs(): number | undefined;
  /** Without codec. */
  readonly temporal: Client;
  close(): Promise<void>;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openArena(options: BenchOptions): Promise<Arena> {
  const { report } = options;
  const dataFolder = freshFolder('bench');
  return await openOnFreshStack({ ...options, dataFolder, env: { api: patience } }, async (fresh) => {
    const rivalsFolder = join(dataFolder, 'rivals');
    const supervisor = await Supervisor.open({ dataFolder: rivalsFolder, onUnexpectedEnd: report });
    try {
      report('starting the naive and the bare worker …');
      return await openContenders(fresh, await startRivals(supervisor, fresh.stack), supervisor);
    } catch (error) {
      await supervisor.stopAll();
      throw error;
    }
  });
}

async function openContenders(
  { stack, temporal, close }: FreshStack,
  { naiveDatabase, provider, workers }: Rivals,
  supervisor: Supervisor,
): Promise<Arena> {
  const { addresses, apiKey } = stack;
  const { connection } = temporal;
  const apiConfig = apiConfigOfStack(stack, patience);
  const dataConverter = encryptingDataConverter(apiConfig.codecKeys);
  const contenders = {
    ours: await openEngine(apiConfig),
    oursOverHttp: openEngineOverHttp(addresses.api, apiKey),
    naive: await openNaive(new Client({ connection, dataConverter }), naiveDatabase),
    floor: openFloor(temporal),
  };
  const payer = new Payer(addresses.sandbox);
  return {
    stack,
    ...contenders,
    payer,
    provider,
    temporal,
    processorMs: () => processorMs([process.pid, ...partsOf(stack), ...workers.map(({ pid }) => pid)]),
    async close() {
      for (const contender of Object.values(contenders)) await contender.close();
      await payer.close();
      await provider.close();
      await supervisor.stopAll();
      await close();
    },
  };
}

function partsOf(stack: Stack): (number | undefined)[] {
  const { temporal, temporalPostgres, enginePostgres, sandboxPostgres, sandbox, workers, apis } = stack;
  const stores = [
    temporal?.process,
    temporalPostgres?.process,
    enginePostgres.process,
    sandboxPostgres.process,
  ];
  return [...stores, sandbox, ...workers, ...apis].map((part) => part?.pid);
}
