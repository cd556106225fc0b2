import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { DemoContext } from '../../tools/demo/demo-context.js';
import { deleteDataFolder } from '../../tools/postgres-installation.js';
import { type Stack, startStack } from '../../tools/stack.js';
import type { ArenaOptions } from '../harness/arena.js';
import { freshFolder } from '../harness/fresh-folder.js';

/** One whole system on which lifecycles are played as demos play them, webhook deliveries included. */
export interface LifecycleStack {
  readonly context: DemoContext;
  /** Without codec. */
  readonly temporal: Client;
  close(): Promise<void>;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openLifecycleStack({
  report,
  signal,
  temporal,
}: ArenaOptions): Promise<LifecycleStack> {
  const folder = freshFolder('bench-lifecycles');
  const dataFolder = join(folder, 'stack');
  const stack = await startStack({
    dataFolder,
    report,
    onUnexpectedEnd: report,
    signal,
    webUi: false,
    ...(typeof temporal === 'string' ? { temporal } : { temporalElsewhere: temporal }),
  });
  const stop = async (): Promise<void> => {
    await stack.stop();
    deleteDataFolder(dataFolder);
    deleteDataFolder(folder);
  };
  try {
    const connection = await Connection.connect({ address: stack.addresses.temporalAddress });
    const close = async (): Promise<void> => {
      await connection.close();
      await stop();
    };
    return { context: contextOf(stack, signal), temporal: new Client({ connection }), close };
  } catch (error) {
    await stop();
    throw error;
  }
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
