import { Connection } from '@temporalio/client';
import { mkdirSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSearchAttributes } from '#runs';
import type { Supervisor } from './supervisor.js';
import { Failure } from './failure.js';
import type { ManagedProcess } from './managed-process.js';
import { freePort } from './ports.js';
import { dynamicSettings } from './temporal-settings.js';

export interface TemporalServerOptions {
  readonly supervisor: Supervisor;
  /** Path of the `temporal` program. */
  readonly program: string;
  /** gRPC port; default a free one. */
  readonly port?: number;
  /** Port of the Web UI; default a free one; null for no UI. */
  readonly uiPort?: number | null;
  /** `memory` forgets everything when the server ends. */
  readonly store: 'memory' | 'file';
  /**
   * Of a file store: `normal` loses the last transactions in a power cut but none in a crash of the server alone;
   * `full` syncs each. Default `normal`.
   */
  readonly synchronous?: 'normal' | 'full';
  /** Names of type Keyword to be registered. */
  readonly searchAttributes: readonly string[];
  /** Address to which the UI appends /decode. */
  readonly codecEndpoint?: string;
  /** Dynamic ones, beside those of every server (temporal-settings.ts). */
  readonly settings?: Readonly<Record<string, boolean | number>>;
  /** Default `warn`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'never';
}

export interface TemporalServer {
  readonly process: ManagedProcess;
  /** host:port of gRPC. */
  readonly address: string;
  readonly uiUrl: string | undefined;
  /** Deletes all that it has stored, while its process is killed: started again, it is empty. */
  deleteStore(): Promise<void>;
}

/** One attempt of a client: a machine that is short of processor time is slow, and not without a server. */
const answersWithinMs = 20_000;
/**
 * The server writes this when all of its roles have started. The frontend answers earlier, while its worker role, the
 * last, may still end the process: it gives up where another role takes ten seconds to answer.
 */
const allRolesStarted = /^(Temporal )?Server:/m;
const synchronousPragma = { normal: 1, full: 2 };

/** Starts Temporal's development server: the whole service, with its Web UI, in one process. */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  const port = options.port ?? (await freePort());
  const uiPort = options.uiPort === undefined ? await freePort() : options.uiPort;
  const address = `127.0.0.1:${port}`;
  const process = await options.supervisor.start({
    name: 'temporal',
    command: options.program,
    args: [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      `--log-level=${options.logLevel ?? 'warn'}`,
      '--log-format=json',
      ...Object.entries({ ...dynamicSettings, ...options.settings }).map(
        ([key, value]) => `--dynamic-config-value=${key}=${value}`,
      ),
      ...uiArguments(uiPort, options.codecEndpoint),
      ...storeArguments(options),
      ...options.searchAttributes.map((name) => `--search-attribute=${name}=Keyword`),
    ],
    saysWhenStarted: allRolesStarted,
    isReady: () => answers(address),
  });
  // The server takes the attributes of its command line into a new store only, not into one of an earlier version.
  if (options.store === 'file') await registerSearchAttributes(address, options.searchAttributes);
  return {
    process,
    address,
    uiUrl: uiPort === null ? undefined : `http://127.0.0.1:${uiPort}`,
    deleteStore: async () => {
      await rm(storeFolder(options.supervisor), { recursive: true, force: true });
      await mkdir(storeFolder(options.supervisor));
    },
  };
}

/**
 * Registers Keyword attributes at a server that runs; those that are there already stay. Resolves when they can be used.
 * @throws Failure when the server cannot be reached, or does not take them.
 */
export async function registerSearchAttributes(address: string, names: readonly string[]): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: answersWithinMs }).catch(() => {
    throw new Failure(`No Temporal server answers at ${address}.`);
  });
  try {
    await ensureSearchAttributes(connection, 'default', names);
  } catch (error) {
    throw new Failure(`Temporal does not take the search attributes ${names.join(', ')}: ${String(error)}`);
  } finally {
    await connection.close();
  }
}

function uiArguments(uiPort: number | null, codecEndpoint: string | undefined): string[] {
  if (uiPort === null) return ['--headless'];
  return [`--ui-port=${uiPort}`, ...(codecEndpoint ? [`--ui-codec-endpoint=${codecEndpoint}`] : [])];
}

function storeArguments({ supervisor, store, synchronous }: TemporalServerOptions): string[] {
  if (store === 'memory') return [];
  const folder = storeFolder(supervisor);
  mkdirSync(folder, { recursive: true });
  return [
    `--db-filename=${join(folder, 'temporal.sqlite')}`,
    '--sqlite-pragma=journal_mode=wal',
    `--sqlite-pragma=synchronous=${synchronousPragma[synchronous ?? 'normal']}`,
  ];
}

function storeFolder({ dataFolder }: Supervisor): string {
  return join(dataFolder, 'temporal');
}

/** gRPC listens before the namespace is there; a client that comes in between gets an error. */
async function answers(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: answersWithinMs });
  try {
    await connection.withDeadline(Date.now() + answersWithinMs, () =>
      connection.workflowService.describeNamespace({ namespace: 'default' }),
    );
    return true;
  } finally {
    await connection.close();
  }
}
