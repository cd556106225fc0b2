import { searchAttributes } from '../libs/workflows/src/contract.js';
import type { Supervisor } from './child-processes.js';
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
  readonly enginePostgres: Postgres;
  readonly sandboxPostgres: Postgres;
}

/** Names of the Keyword attributes by which runs are found in Temporal. */
export const searchAttributeNames = Object.values(searchAttributes).map(({ name }) => name);

export async function startStores(
  supervisor: Supervisor,
  options: StackOptions,
  codecEndpoint: string,
): Promise<Stores> {
  const report = options.report ?? (() => {});
  const program = options.temporalElsewhere ? undefined : await findTemporal(report, options.signal);
  report('starting PostgreSQL and Temporal …');
  const [temporal, enginePostgres, sandboxPostgres] = await allStarted([
    program === undefined ? undefined : startTemporal(supervisor, options, program, codecEndpoint),
    startPostgres({ supervisor, name: 'engine-postgres' }),
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

function startTemporal(
  supervisor: Supervisor,
  { ports, temporalSynchronous }: StackOptions,
  program: string,
  codecEndpoint: string,
): Promise<TemporalServer> {
  return startTemporalServer({
    supervisor,
    program,
    store: 'file',
    searchAttributes: searchAttributeNames,
    codecEndpoint,
    ...(ports?.temporal !== undefined && { port: ports.temporal }),
    ...(ports?.temporalUi !== undefined && { uiPort: ports.temporalUi }),
    ...(temporalSynchronous && { synchronous: temporalSynchronous }),
  });
}
