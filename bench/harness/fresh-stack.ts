import { Client, Connection } from '@temporalio/client';
import type { ApiConfig } from '#api/injected/api-config.js';
import { apiConfigOf, apiEnvironment } from '#api/environment.js';
import { readEnvironment } from '#configuration';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { withoutKeys } from '#tools/sealed-payloads.js';
import * as stackEnvironment from '#tools/stack-environment.js';
import type { StackOptions } from '#tools/stack-options.js';
import { startStack, type Stack } from '#tools/stack.js';

export interface BenchOptions {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
  /**
   * Temporal's server: `development`, `production` (over a PostgreSQL of its own), or the one at `address` (host:port).
   */
  readonly temporal: 'development' | 'production' | { readonly address: string };
}

export interface FreshStackOptions
  extends BenchOptions, Pick<StackOptions, 'ports' | 'env' | 'engineDatabaseSettings'> {
  /** Everything that the stack keeps; deleted at the end. */
  readonly dataFolder: string;
  /** Default one each. */
  readonly processes?: { readonly workers: number; readonly apis: number };
}

/** One whole system of a bench's own. */
export interface FreshStack {
  readonly stack: Stack;
  /** Without codec. */
  readonly temporal: Client;
  readonly close: () => Promise<void>;
}

/** Variables of the API. A busy machine is measured, not cut off: each answer is waited for. */
export const waitSettings = {
  ANSWER_WITHIN_MS: '60000',
  PAYER_WAIT_MS: '60000',
  TEMPORAL_DEADLINE_MS: '30000',
};

/**
 * Starts a system, and opens the ways into it.
 *
 * @throws Failure in one sentence, or what `open` throws; the system is not left running then.
 */
export async function openOnFreshStack<Ways>(
  {
    dataFolder,
    report,
    signal,
    temporal,
    processes = { workers: 1, apis: 1 },
    ports = {},
    env = {},
    engineDatabaseSettings = {},
  }: FreshStackOptions,
  open: (fresh: FreshStack) => Ways | Promise<Ways>,
): Promise<Ways> {
  const stack = await startStack({
    dataFolder,
    report,
    onUnexpectedEnd: report,
    signal,
    ...processes,
    ports,
    env,
    engineDatabaseSettings,
    webUi: false,
    ...(typeof temporal === 'string' ? { temporal } : { temporalElsewhere: temporal }),
  });
  let connection: Connection | undefined;
  const close = async (): Promise<void> => {
    await connection?.close();
    await stack.stop();
    deleteDataFolder(dataFolder);
  };
  try {
    connection = await Connection.connect({ address: stack.addresses.temporalAddress });
    return await open({ stack, temporal: new Client({ connection, dataConverter: withoutKeys }), close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the stack's API reads at its start, with the variables that it was given beside the generated ones. */
export function apiConfigOfStack(
  { addresses, config }: Stack,
  variables: Readonly<Record<string, string>>,
): ApiConfig {
  const environment = stackEnvironment.apiEnvironment(addresses, config, addresses.api);
  return apiConfigOf(readEnvironment(apiEnvironment, { ...environment, ...variables }));
}
