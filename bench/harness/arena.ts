import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { apiConfigOf, apiEnvironment } from '../../apps/api/src/environment.js';
import { readEnvironment } from '../../libs/configuration/src/environment.js';
import { encryptingDataConverter } from '../../libs/payload-codec/src/data-converter.js';
import { PaymentsClient } from '../../libs/payments-client/src/index.js';
import { Supervisor } from '../../tools/child-processes.js';
import { deleteDataFolder } from '../../tools/postgres-installation.js';
import * as stackEnvironment from '../../tools/stack-environment.js';
import { startStack, type Stack } from '../../tools/stack.js';
import type { Contender } from './contender.js';
import { openEngine } from '../engine/engine-contender.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import { openFloor } from '../floor/floor-contender.js';
import { openNaive } from '../naive/naive-contender.js';
import { freshFolder } from './fresh-folder.js';
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

export interface ArenaOptions {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
  /**
   * Temporal's server: `development`, `production` (over a PostgreSQL of its own), or the one at `address` (host:port).
   */
  readonly temporal: 'development' | 'production' | { readonly address: string };
}

/** A busy machine is measured, not cut off: each answer is waited for. */
const patience = { ANSWER_WITHIN_MS: '60000', PAYER_WAIT_MS: '60000', TEMPORAL_DEADLINE_MS: '30000' };

/** @throws Failure in one sentence; nothing is left running then. */
export async function openArena({ report, signal, temporal }: ArenaOptions): Promise<Arena> {
  const folder = freshFolder('bench');
  const onUnexpectedEnd = (sentence: string): void => report(sentence);
  const stack = await startStack({
    dataFolder: join(folder, 'stack'),
    report,
    onUnexpectedEnd,
    signal,
    env: { api: patience },
    webUi: false,
    ...(typeof temporal === 'string' ? { temporal } : { temporalElsewhere: temporal }),
  });
  const supervisor = await Supervisor.open({ dataFolder: join(folder, 'rivals'), onUnexpectedEnd });
  const stop = async (): Promise<void> => {
    await supervisor.stopAll();
    await stack.stop();
    deleteDataFolder(join(folder, 'stack'));
    deleteDataFolder(folder);
  };
  try {
    report('starting the naive and the bare worker …');
    const rivals = await startRivals(supervisor, stack);
    return await openContenders(stack, rivals, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openContenders(
  stack: Stack,
  { naiveDatabase, provider, workers }: Rivals,
  stop: () => Promise<void>,
): Promise<Arena> {
  const { addresses, config, apiKey } = stack;
  const environment = { ...stackEnvironment.apiEnvironment(addresses, config, addresses.api), ...patience };
  const apiConfig = apiConfigOf(readEnvironment(apiEnvironment, environment));
  const connection = await Connection.connect({ address: addresses.temporalAddress });
  const temporal = new Client({ connection });
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
      await connection.close();
      await stop();
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
