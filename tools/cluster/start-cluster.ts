import type { Postgres } from '../postgres.js';
import type { StackOptions } from '../stack-options.js';
import { startStack, type Stack } from '../stack.js';
import type { TemporalServer } from '../temporal-server.js';

/** A stack on Temporal's production server: every process of it can be killed and started again on its own. */
export interface Cluster extends Stack {
  readonly temporal: TemporalServer;
  readonly temporalPostgres: Postgres;
}

export type ClusterOptions = Omit<StackOptions, 'temporal' | 'temporalElsewhere' | 'temporalSynchronous'>;

/**
 * Brings up a stack as in production: Temporal's server on a PostgreSQL of its own, and two APIs and two workers unless
 * the options say otherwise.
 * @throws Failure in one sentence; nothing is left running then.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const stack = await startStack({ apis: 2, workers: 2, ...options, temporal: 'production' });
  const { temporal, temporalPostgres } = stack;
  if (!temporal || !temporalPostgres) throw new Error('the stack came up without a Temporal of its own');
  return { ...stack, temporal, temporalPostgres };
}
