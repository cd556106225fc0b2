import { searchAttributeNames } from '#runs';
import type { Supervisor } from './supervisor.js';
import { startProductionTemporal } from './cluster/production-temporal.js';
import { findClusterPrograms } from './cluster/programs.js';
import { startPostgres, type Postgres } from './postgres.js';
import type { StackOptions } from './stack-options.js';
import { findTemporal } from './temporal-binary.js';
import { registerSearchAttributes, startTemporalServer, type TemporalServer } from './temporal-server.js';

/** What the apps stand on. */
export interface Stores {
  readonly addresses: {
    readonly temporalAddress: string;
    readonly temporalUi: string | undefined;
    readonly engineDatabase: string;
    readonly sandboxDatabase: string;
  };
  readonly temporal: TemporalServer | undefined;
  /** Of the production server; undefined with another. */
  readonly temporalPostgres: Postgres | undefined;
  readonly enginePostgres: Postgres;
  readonly sandboxPostgres: Postgres;
}

export async function startStores(
  supervisor: Supervisor,
  options: StackOptions,
  codecEndpoint: string,
): Promise<Stores> {
  const report = options.report ?? (() => {});
  const startTemporal = await prepareTemporal(supervisor, options, codecEndpoint);
  report('starting PostgreSQL and Temporal …');
  const [temporal, enginePostgres, sandboxPostgres] = await allStarted([
    startTemporal?.(),
    startPostgres({ supervisor, name: 'engine-postgres', settings: options.engineDatabaseSettings ?? {} }),
    startPostgres({ supervisor, name: 'sandbox-postgres' }),
  ]);
  const address = temporal?.address ?? options.temporalElsewhere?.address ?? '';
  if (!temporal) await registerSearchAttributes(address, searchAttributeNames);
  return {
    addresses: {
      temporalAddress: address,
      temporalUi: temporal?.uiUrl ?? options.temporalElsewhere?.uiUrl,
      engineDatabase: await enginePostgres.ensureDatabase('engine'),
      sandboxDatabase: await sandboxPostgres.ensureDatabase('sandbox'),
    },
    temporal,
    temporalPostgres: temporal?.postgres,
    enginePostgres,
    sandboxPostgres,
  };
}

/** Like Promise.all, but waits for every one even after a failure: what is still starting can then be stopped. */
export async function allStarted<T extends readonly unknown[]>(
  starting: readonly [...T],
): Promise<{ [I in keyof T]: Awaited<T[I]> }> {
  await Promise.allSettled(starting);
  return Promise.all(starting);
}

type StartTemporal = () => Promise<TemporalServer & { readonly postgres?: Postgres }>;

/** Gets what it takes, which may last minutes, before anything is started. Undefined where somebody else's is used. */
async function prepareTemporal(
  supervisor: Supervisor,
  options: StackOptions,
  codecEndpoint: string,
): Promise<StartTemporal | undefined> {
  const { ports, report = () => {}, signal } = options;
  if (options.temporalElsewhere) return undefined;
  const common = {
    supervisor,
    searchAttributes: searchAttributeNames,
    codecEndpoint,
    ...(ports?.temporal !== undefined && { port: ports.temporal }),
    ...(ports?.temporalUi !== undefined && { uiPort: ports.temporalUi }),
  };
  if (options.temporal === 'production') {
    const programs = await findClusterPrograms({ webUi: options.webUi ?? true, report, signal });
    return () => startProductionTemporal({ ...common, programs, signal });
  }
  const program = await findTemporal(report, signal);
  const synchronous = options.temporalSynchronous ?? 'normal';
  return () => startTemporalServer({ ...common, program, store: 'file', synchronous });
}
