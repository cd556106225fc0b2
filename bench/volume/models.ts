import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import { playAuthorize } from '#tools/demo/authorize.js';
import type { DemoContext } from '#tools/demo/demo-context.js';
import { OrderService } from '#tools/demo/order-service.js';
import { playPartialCapture } from '#tools/demo/partial-capture.js';
import { playPayout } from '#tools/demo/payout.js';
import { playRefund } from '#tools/demo/refund.js';
import { playSale } from '#tools/demo/sale.js';
import { makePlan, passMonth, subscribe } from '#tools/demo/subscription.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import { until } from '../harness/until.js';
import { openLifecycleStack } from '../lifecycles/lifecycle-stack.js';

/** The tables whose rows are multiplied. */
export const modelTables = [
  'payments',
  'refunds',
  'plans',
  'subscriptions',
  'subscription_payments',
  'payouts',
  'payout_items',
  'commands',
  'attempts',
  'resources',
  'timeline',
  'api_calls',
  'webhook_events',
  'notifications',
  'notification_deliveries',
  'notification_endpoints',
] as const;
export type ModelTable = (typeof modelTables)[number];

/** What real lifecycles have left in the engine's rows. */
export interface Models {
  /** A JSON array of rows each. */
  readonly rows: Readonly<Record<ModelTable, string>>;
  readonly payments: Readonly<Record<PaymentModel, string>>;
}

const paymentPlays = {
  captured: async (context) => (await playAuthorize(context)).id,
  completed: async (context) => (await playSale(context)).id,
  partial: async (context) => (await playPartialCapture(context)).id,
  authorized: (context) => authorize(context),
  voided: async (context) => {
    const id = await authorize(context);
    const orderService = new OrderService(context);
    await orderService.post(`/v1/payments/${id}/void`, {});
    await orderService.until(id, ['voided']);
    return id;
  },
  awaiting: async (context) => {
    const orderService = new OrderService(context);
    const { id } = await orderService.post('/v1/payments', {
      orderId: 'order-model',
      amount: { value: '10.00', currency: 'USD' },
      returnUrl: 'https://shop.example/paid',
      cancelUrl: 'https://shop.example/cancelled',
    });
    await orderService.until(id, ['awaiting_approval']);
    return id;
  },
} satisfies Record<string, (context: DemoContext) => Promise<string>>;

export type PaymentModel = keyof typeof paymentPlays | 'refunded';

async function authorize(context: DemoContext): Promise<string> {
  const orderService = new OrderService(context);
  const amount = { value: '10.00', currency: 'USD' };
  const id = await orderService.orderAndApprove({
    intent: 'authorize',
    amount,
    capturePolicy: { mode: 'manual' },
  });
  await orderService.until(id, ['authorized']);
  return id;
}

/** Plays each kind of lifecycle once on a real system, with an order service that takes notifications. */
export async function playModels(options: BenchOptions): Promise<Models> {
  const receiver = createServer((_, response) => response.writeHead(204).end());
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const stack = await openLifecycleStack(options);
  const client = new Client({ connectionString: stack.engineDatabase });
  try {
    await client.connect();
    const { context } = stack;
    const orderService = new OrderService(context);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await orderService.exchange('POST', '/v1/notification-endpoints', { url });
    const payments: Partial<Record<PaymentModel, string>> = {};
    for (const [name, play] of Object.entries(paymentPlays))
      payments[name as PaymentModel] = await play(context);
    const refund = (await playRefund(context)).id;
    payments.refunded = await textOf(client, 'SELECT payment_id FROM refunds WHERE id = $1', [refund]);
    await playPayout(context);
    const planId = await makePlan(orderService, { setupFee: '1.00', cycles: 12 });
    await passMonth(context, (await subscribe(orderService, planId)).token);
    await until(() => isAtRest(client), 200);
    const rows: Partial<Record<ModelTable, string>> = {};
    for (const table of modelTables) {
      rows[table] = await textOf(
        client,
        `SELECT coalesce(json_agg(row_to_json(t)), '[]')::text FROM ${table} AS t`,
      );
    }
    return { rows: rows as Models['rows'], payments: payments as Models['payments'] };
  } finally {
    await client.end();
    await stack.close();
    receiver.close();
  }
}

/** All that happened has been taken, and everybody has been told. */
async function isAtRest(client: Client): Promise<boolean> {
  const left = await textOf(
    client,
    `SELECT (SELECT count(*) FROM webhook_events WHERE status IN ('received', 'dispatching'))
      + (SELECT count(*) FROM notification_deliveries WHERE state = 'pending')
      + (SELECT count(*) FROM refunds WHERE status <> 'completed')`,
  );
  return left === '0';
}

async function textOf(client: Client, statement: string, values: readonly unknown[] = []): Promise<string> {
  const { rows } = await client.query<[string]>({ text: statement, values: [...values], rowMode: 'array' });
  return String(rows[0]?.[0]);
}
