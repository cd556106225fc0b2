import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { Failure } from '../failure.js';
import { projectRoot } from '../project.js';
import type { DemoContext, PlayedLifecycle } from './demo-context.js';
import { approveAsPayer } from './payer.js';
import { expectMovements, ofPayment } from './provider-books.js';

const shownSchema = z.object({
  orders: z.array(z.object({ paymentId: z.string(), price: z.string(), state: z.string() })),
});

type ShopOrder = z.infer<typeof shownSchema>['orders'][number];

/**
 * The shop of examples/order-service as a process of its own, with the packed client of the engine and nothing else of
 * it; its customers are played here.
 *
 * @returns the payment of the order that came back.
 */
export async function playShop(context: DemoContext): Promise<PlayedLifecycle> {
  mkdirSync(join(projectRoot, 'dist'), { recursive: true });
  // Inside of the clone, whose installation has what the client depends on.
  const folder = mkdtempSync(join(projectRoot, 'dist/shop-'));
  try {
    cpSync(join(projectRoot, 'examples/order-service'), folder, { recursive: true });
    // Images play other demos, and have no compiler.
    const { installEngineClient } = await import('../packages.js');
    await installEngineClient(join(folder, 'node_modules'), context.signal);
    const orders = await openShop(folder, context);
    for (const order of orders)
      await expectMovements(context, ofPayment(order.paymentId), movementsOf(order));
    const returned = orders.find(({ state }) => state === 'refunded');
    if (!returned) throw new Failure('The shop has refunded nothing.');
    return { id: returned.paymentId, state: returned.state };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns its orders once it has closed. */
async function openShop(folder: string, context: DemoContext): Promise<readonly ShopOrder[]> {
  const shop = spawn(process.execPath, ['shop.ts'], {
    cwd: folder,
    env: { ...process.env, ENGINE_URL: context.api, API_KEY: context.apiKey },
    stdio: ['ignore', 'pipe', 'inherit'],
    signal: context.signal,
  });
  const ended = once(shop, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined);
  let last = '';
  try {
    for await (const line of createInterface({ input: shop.stdout })) {
      last = line;
      if (line.startsWith('{')) break;
      context.tell('shop', line);
      const approvalUrl = /the customer pays at (\S+)$/.exec(line)?.[1];
      if (approvalUrl) await approveAsPayer(approvalUrl, context);
    }
    const [exitCode] = await ended;
    if (exitCode !== 0) throw new Failure(`The shop ended with ${exitCode}.`);
  } finally {
    shop.kill();
  }
  return shownSchema.parse(JSON.parse(last)).orders;
}

function movementsOf({ price, state }: ShopOrder): string[] {
  const amount = price.replace('.', '');
  const refund = state === 'refunded' ? [`refund ${amount}`] : [];
  return [`hold ${amount}`, `capture ${amount}`, ...refund];
}
