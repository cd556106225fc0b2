import type { Client } from '@temporalio/client';
import type { DemoContext } from '#tools/demo/demo-context.js';
import type { Stack } from '#tools/stack.js';
import { freshFolder } from '../harness/fresh-folder.js';
import { type BenchOptions, openOnFreshStack } from '../harness/fresh-stack.js';

/** One whole system on which lifecycles are played as demos play them, webhook deliveries included. */
export interface LifecycleStack {
  readonly context: DemoContext;
  /** Without codec. */
  readonly temporal: Client;
  /** Address of the engine's rows. */
  readonly engineDatabase: string;
  close(): Promise<void>;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openLifecycleStack(options: BenchOptions): Promise<LifecycleStack> {
  const dataFolder = freshFolder('bench-lifecycles');
  return await openOnFreshStack({ ...options, dataFolder }, ({ stack, temporal, close }) => ({
    context: contextOf(stack, options.signal),
    temporal,
    engineDatabase: stack.addresses.engineDatabase,
    close,
  }));
}

function contextOf({ addresses, apiKey, config }: Stack, signal: AbortSignal): DemoContext {
  const { clientId, clientSecret } = config;
  return {
    api: addresses.api,
    apiKey,
    sandbox: { url: addresses.sandbox, clientId, clientSecret },
    tell: () => {},
    signal,
  };
}
