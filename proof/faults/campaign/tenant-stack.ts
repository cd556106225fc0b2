import { readDevelopmentConfig } from '#tools/development-config.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { freePort } from '#tools/ports.js';
import type { Postgres } from '#tools/postgres.js';
import { startStack, type Stack } from '#tools/stack.js';
import type { Lifecycle } from '../lifecycle.js';
import { applicationsOf } from './campaign-lifecycles.js';
import type { Restarter } from './restarter.js';
import { environmentOf, type Tenant, tenantsOf } from './tenants.js';

export interface TenantStackOptions {
  /** What is played: its applications are configured. */
  readonly mix: readonly Lifecycle[];
  /** Must be new: books, secrets and logs. */
  readonly dataFolder: string;
  /** Processes of each. */
  readonly workers: number;
  readonly apis: number;
  /** `production`: Temporal's server over a PostgreSQL of its own. Default `development`. */
  readonly temporal?: 'development' | 'production' | undefined;
  /** Where payers and the provider reach the APIs; by default the first of them. */
  readonly publicUrl?: string | undefined;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** How long the engine waits, in milliseconds. */
export interface Pace {
  readonly horizonMs: number;
  readonly firstPollMs: number;
  readonly longestPollMs: number;
  readonly reconcileEveryMs: number;
  readonly lostAfterMs: number;
}

export interface TenantStack {
  readonly stack: Stack;
  readonly tenants: readonly Tenant[];
  /** The environment that each worker has beside the generated one. */
  readonly workerVariables: Readonly<Record<string, string>>;
}

/** The sandbox gets the applications after worker and API have already asked for them. */
const repairWebhooksEveryMs = 10_000;

/** Starts the whole system, on stores that sync each commit. What ends unexpectedly is noted by the restarter. */
export async function startTenantStack(
  { mix, dataFolder, workers, apis, temporal = 'development', publicUrl, report, signal }: TenantStackOptions,
  pace: Pace,
  restarter: Restarter,
): Promise<TenantStack> {
  const tenants = tenantsOf(applicationsOf(mix), readDevelopmentConfig(dataFolder));
  const sandboxPort = await freePort();
  const env = environmentAt(pace, tenants, { sandbox: `http://127.0.0.1:${sandboxPort}`, publicUrl });
  const stack = await startStack({
    dataFolder,
    workers,
    apis,
    ports: { sandbox: sandboxPort },
    env,
    temporal,
    temporalSynchronous: 'full',
    webUi: false,
    report,
    onUnexpectedEnd: (sentence, name) => restarter.noteEnd(sentence, name),
    signal,
  });
  restarter.keep(processesOf(stack));
  return { stack, tenants, workerVariables: env.worker };
}

/** Every PostgreSQL server of a stack. */
export function clustersOf({
  enginePostgres,
  sandboxPostgres,
  temporalPostgres,
}: Pick<Stack, 'enginePostgres' | 'sandboxPostgres' | 'temporalPostgres'>): Postgres[] {
  return [enginePostgres, sandboxPostgres, ...(temporalPostgres ? [temporalPostgres] : [])];
}

function environmentAt(
  pace: Pace,
  tenants: readonly Tenant[],
  { sandbox, publicUrl }: { readonly sandbox: string; readonly publicUrl: string | undefined },
) {
  const { api, worker } = environmentOf(tenants, sandbox);
  const waits = {
    OUTCOME_HORIZON_MS: String(pace.horizonMs),
    FIRST_POLL_MS: String(pace.firstPollMs),
    LONGEST_POLL_MS: String(pace.longestPollMs),
    ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
  };
  return {
    api: { ...waits, ...api },
    worker: {
      ...waits,
      ...worker,
      RECONCILE_INTERVAL_MS: String(pace.reconcileEveryMs),
      RECONCILE_LOST_AFTER_MS: String(pace.lostAfterMs),
      WEBHOOK_REPAIR_INTERVAL_MS: String(repairWebhooksEveryMs),
    },
  };
}

function processesOf({ workers, apis, sandbox, temporal, ...stack }: Stack): ManagedProcess[] {
  const databases = clustersOf(stack).map(({ process }) => process);
  return [...workers, ...apis, sandbox, ...(temporal ? [temporal.process] : []), ...databases];
}
