import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { encryptingDataConverter } from '#payload-codec';
import { PaymentsClient } from '#payments-client';
import { Supervisor } from '#tools/supervisor.js';
import type { Stack } from '#tools/stack.js';
import type { Contender, ContenderName } from '../harness/contender.js';
import { openEngine } from '../engine/engine-contender.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import { openFloor } from '../floor/floor-contender.js';
import { openDbos } from '../dbos/dbos-contender.js';
import { openNaive } from '../naive/naive-contender.js';
import { updatesTaskQueue } from '../updates/updates-activities.js';
import { countingSettings } from './database-work.js';
import { freshFolder } from '../harness/fresh-folder.js';
import {
  type BenchOptions,
  type FreshStack,
  apiConfigOfStack,
  openOnFreshStack,
  waitSettings,
} from '../harness/fresh-stack.js';
import { Payer } from '../harness/payer.js';
import { type Instruments, openInstruments } from './instruments.js';
import { startRivals, type Rivals } from './rivals.js';

/** Everything that one run measures with and against: one stack, one provider, one Temporal. */
export interface Arena {
  readonly stack: Stack;
  readonly contenders: Readonly<Record<ContenderName, Contender>>;
  readonly payer: Payer;
  /** The provider called directly, with nothing around it. */
  readonly provider: PaymentsClient;
  readonly instruments: Instruments;
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
  rivals: Rivals,
  supervisor: Supervisor,
): Promise<Arena> {
  const { addresses, apiKey } = stack;
  const { naiveDatabase, dbosOrigin, provider } = rivals;
  const { connection } = temporal;
  const apiConfig = apiConfigOfStack(stack, waitSettings);
  const encrypting = new Client({ connection, dataConverter: encryptingDataConverter(apiConfig.codecKeys) });
  const contenders: Record<ContenderName, Contender> = {
    ours: await openEngine(apiConfig),
    oursOverHttp: openEngineOverHttp([addresses.api], apiKey),
    naive: await openNaive(encrypting, naiveDatabase),
    updates: openFloor(encrypting, { name: 'updates', taskQueue: updatesTaskQueue }),
    dbos: openDbos(dbosOrigin),
    floor: openFloor(temporal),
  };
  const payer = new Payer(addresses.sandbox);
  const instruments = await openInstruments(stack, (contender) => {
    const isOurs = contender === 'ours' || contender === 'oursOverHttp';
    return isOurs ? stack.workers : [rivals.workers[contender]];
  });
  return {
    stack,
    contenders,
    payer,
    provider,
    temporal,
    instruments,
    async close() {
      await instruments.close();
      for (const contender of Object.values(contenders)) await contender.close();
      await payer.close();
      await provider.close();
      await supervisor.stopAll();
      await close();
    },
  };
}
