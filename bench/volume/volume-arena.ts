import { Pool } from 'undici';
import { migrateDatabase } from '#database/connection';
import { Supervisor } from '#tools/supervisor.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { startPostgres } from '#tools/postgres.js';
import { freshFolder } from '../harness/fresh-folder.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import { fillEngine } from './fill.js';
import { startLoneApi } from '../harness/lone-api.js';
import { playModels } from './models.js';
import { type Route, routesOf } from './routes.js';
import { readSamples } from './samples.js';
import { applications } from './spread.js';

/** One API on one database: the routes, and what they ask of this one. */
export interface Side {
  readonly routes: Readonly<Record<string, Route>>;
  /** Milliseconds until the answer was read. */
  readonly latency: (route: Route) => Promise<number>;
}

/** The same engine twice, with few rows and with many. */
export interface VolumeArena {
  readonly few: Side;
  readonly many: Side;
  close(): Promise<void>;
}

export interface Volume {
  readonly fewRows: number;
  readonly manyRows: number;
}

/** Only reads are measured, and nothing of it is kept. */
export const fillQuickly = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  maintenance_work_mem: '512MB',
  shared_buffers: '1GB',
};

/** @throws Failure in one sentence; nothing is left running then. */
export async function openVolumeArena(
  { fewRows, manyRows }: Volume,
  options: BenchOptions,
): Promise<VolumeArena> {
  options.report('volume: playing the lifecycles whose rows are copied …');
  const models = await playModels(options);
  const folder = freshFolder('bench-volume');
  const supervisor = await Supervisor.open({ dataFolder: folder, onUnexpectedEnd: options.report });
  const pools: Pool[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(pools.map((pool) => pool.close()));
    await supervisor.stopAll();
    deleteDataFolder(folder);
  };
  try {
    const postgres = await startPostgres({ supervisor, name: 'postgres', settings: fillQuickly });
    const open = async (name: string, rows: number): Promise<Side> => {
      options.report(`volume: ${rows} payments, calls and events …`);
      const databaseUrl = await postgres.ensureDatabase(name);
      await migrateDatabase(databaseUrl);
      await fillEngine(databaseUrl, models, rows, options.report);
      const api = await startLoneApi(supervisor, { name: `api-${name}`, databaseUrl, applications });
      const pool = new Pool(api.origin, { connections: 1 });
      pools.push(pool);
      const headersOf = ({ as }: Route) => (as === 'console' ? api.consoleHeaders : api.headersOf(as));
      return {
        routes: routesOf(await readSamples(databaseUrl), Date.now()),
        latency: (route) => latencyOf(pool, route.path, headersOf(route)),
      };
    };
    return { few: await open('few', fewRows), many: await open('many', manyRows), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @throws Error for a refusal, which must not count as fast. A search that finds one thing leads to its page. */
async function latencyOf(pool: Pool, path: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
  const text = await body.text();
  const ms = performance.now() - startedAt;
  if (statusCode >= 400 || (statusCode >= 300 && !path.startsWith('/console/search')))
    throw new Error(`GET ${path} was answered ${statusCode}: ${text.slice(0, 300)}`);
  return ms;
}
