import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Stack } from '#tools/stack.js';
import type { ContenderName } from '../harness/contender.js';
import { processorMs } from '../harness/processor-time.js';
import { type ResidentMiB, residentMiB } from '../harness/resident-memory.js';
import { type DatabaseWork, beginCounting, countsSettleMs, databaseWork } from './database-work.js';

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

/** What a contender uses, while it is the only one at work. */
export interface Instruments {
  /** Milliseconds that each part has used so far; the worker is the contender's own. */
  processorMs(contender: ContenderName): Readonly<Record<Part, number>> | undefined;
  /** What the engine's PostgreSQL, where the rivals have their rows, too, has done so far in the contender's databases. */
  databaseWork(contender: ContenderName): Promise<DatabaseWork>;
  /** What the engine's API and worker hold in memory now; undefined where the system does not show it. */
  residentMiB(): ResidentMiB | undefined;
  close(): Promise<void>;
}

/** @param workersOf the processes that do the work of a contender. */
export async function openInstruments(
  stack: Stack,
  workersOf: (contender: ContenderName) => Stack['workers'],
): Promise<Instruments> {
  const counter = new Client({ connectionString: stack.enginePostgres.url('postgres') });
  await counter.connect();
  await beginCounting(counter);
  return {
    processorMs: (contender) => processorMs(partsOf(stack, workersOf(contender))),
    async databaseWork(contender) {
      await sleep(countsSettleMs);
      return await databaseWork(counter, databasesOf[contender]);
    },
    residentMiB: () => residentMiB(stack),
    close: () => counter.end(),
  };
}

/** Databases of the engine's PostgreSQL; the floor has no rows. */
const databasesOf: Readonly<Record<ContenderName, readonly string[]>> = {
  ours: ['engine'],
  oursOverHttp: ['engine'],
  naive: ['naive'],
  updates: ['naive'],
  dbos: ['naive', 'dbos'],
  floor: [],
};

function partsOf(stack: Stack, workers: Stack['workers']): Record<Part, (number | undefined)[]> {
  return {
    temporal: [stack.temporal?.process.pid],
    temporalPostgres: [stack.temporalPostgres?.process.pid],
    worker: pidsOf(workers),
    enginePostgres: [stack.enginePostgres.process.pid],
    api: pidsOf(stack.apis),
    sandbox: [stack.sandbox.pid],
    sandboxPostgres: [stack.sandboxPostgres.process.pid],
    driver: [process.pid],
  };
}

function pidsOf(processes: Stack['workers']): (number | undefined)[] {
  return processes.map(({ pid }) => pid);
}
