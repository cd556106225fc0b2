import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Restarter } from '#proof/faults/campaign/restarter.js';
import { type Victim, type Victims, reviveAll, victimsOf } from '#proof/faults/campaign/victims.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import type { StackOptions } from '#tools/stack-options.js';
import { type Stack, startStack } from '#tools/stack.js';
import { OrderService, type PaymentView, type Reply } from '../helpers/order-service.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { until } from '../helpers/until.js';

/** Every part of the system as a process of its own, started as `npm start` does it, on stores that sync each commit. */
export interface WholeSystem {
  readonly stack: Stack;
  readonly orders: OrderService;
  readonly sandbox: SandboxAdmin;
  readonly victims: Victims;
  /** SIGKILL to all of them at the same moment; resolves when none of them is left. */
  readonly kill: (...victims: readonly Victim[]) => Promise<void>;
  /** Starts them again on their own data. */
  readonly revive: (...victims: readonly Victim[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startWholeSystem(env: NonNullable<StackOptions['env']>): Promise<WholeSystem> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'whole-system-'));
  const restarter = new Restarter(() => undefined);
  const stack = await startStack({
    dataFolder,
    env,
    temporalSynchronous: 'full',
    webUi: false,
    onUnexpectedEnd: (sentence, name) => restarter.noteEnd(sentence, name),
  });
  const { config, addresses } = stack;
  restarter.keep([
    ...stack.workers,
    ...stack.apis,
    stack.sandbox,
    ...(stack.temporal ? [stack.temporal.process] : []),
  ]);
  return {
    stack,
    orders: new OrderService(addresses.api, stack.apiKey),
    sandbox: new SandboxAdmin(addresses.sandbox, config.clientId, config.clientSecret),
    victims: victimsOf(stack, restarter),
    kill: async (...victims) => void (await Promise.all(victims.map((victim) => victim.kill()))),
    revive: async (...victims) => {
      await reviveAll(victims);
      await restarter.untilSettled();
    },
    close: async () => {
      await stack.stop();
      deleteDataFolder(dataFolder);
    },
  };
}

/** As an order service sends it: under the same key until there is a final answer, whatever breaks until then. */
export async function untilAnswered<T>(send: () => Promise<Reply<T>>): Promise<Reply<T>> {
  const answer = await until(
    () => send().catch(() => undefined),
    (reply) => reply !== undefined && reply.status !== 202 && reply.status < 500,
    'a final answer',
    180_000,
  );
  if (!answer) throw new Error('no answer');
  return answer;
}

/** Waits until a payment is shown in that state, by an API that may be away for a while. */
export async function isReported(orders: OrderService, id: string, state: string): Promise<PaymentView> {
  const reported = await until(
    () => orders.get(id).catch(() => undefined),
    (payment) => payment?.state === state,
    `payment ${id} to be ${state}`,
    180_000,
  );
  if (!reported) throw new Error('nothing was told');
  return reported;
}
