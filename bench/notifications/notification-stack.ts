import type { ChildProcess } from 'node:child_process';
import { type Database, openDatabase } from '#database/connection';
import type { Stack } from '#tools/stack.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import type { Contender } from '../harness/contender.js';
import { freshFolder } from '../harness/fresh-folder.js';
import { type BenchOptions, openOnFreshStack, waitSettings } from '../harness/fresh-stack.js';
import { Payer } from '../harness/payer.js';
import { type Endpoint, registerEndpoint } from './endpoint.js';
import { startReceiver } from './processes.js';

/** One whole system, and a receiver beside it. */
export interface NotificationStack {
  readonly stack: Stack;
  readonly engine: Contender;
  readonly payer: Payer;
  readonly db: Database;
  readonly receiverUrl: string;
  /** An endpoint that leads to the receiver. */
  register(): Promise<Endpoint>;
  close(): Promise<void>;
}

/** @throws Failure in one sentence; nothing is left running then. */
export async function openNotificationStack(options: BenchOptions): Promise<NotificationStack> {
  const dataFolder = freshFolder('bench-notifications');
  const receiver = await startReceiver();
  try {
    return await openOnFreshStack({ ...options, dataFolder, env: { api: waitSettings } }, (fresh) =>
      waysInto(fresh, receiver),
    );
  } catch (error) {
    receiver.process.disconnect();
    throw error;
  }
}

function waysInto(
  { stack, close }: { readonly stack: Stack; readonly close: () => Promise<void> },
  receiver: { readonly url: string; readonly process: ChildProcess },
): NotificationStack {
  const { addresses, apiKey } = stack;
  const engine = openEngineOverHttp([addresses.api], apiKey);
  const payer = new Payer(addresses.sandbox);
  const db = openDatabase(addresses.engineDatabase);
  return {
    stack,
    engine,
    payer,
    db,
    receiverUrl: receiver.url,
    register: () => registerEndpoint({ origin: addresses.api, apiKey }, receiver.url),
    async close() {
      await engine.close();
      await payer.close();
      await db.destroy();
      await close();
      receiver.process.disconnect();
    },
  };
}
