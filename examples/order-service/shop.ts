// A shop with two customers. Both pay; one sends back what came. Run it with the engine of `npm start`:
// ENGINE_URL=http://localhost:3000 API_KEY=… node shop.ts It takes notifications on this machine, does the next step of
// each order when one arrives, and ends with the orders.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createEngineClient,
  type Notification,
  verifyNotification,
} from '@payment-lifecycle-engine/engine-client';

interface Order {
  readonly orderId: string;
  readonly price: string;
  readonly comesBack: boolean;
  paymentId?: string;
  state: string;
}

const engine = createEngineClient({
  baseUrl: process.env['ENGINE_URL'] ?? 'http://localhost:3000',
  apiKey: process.env['API_KEY'] ?? '',
});

/** A real shop keeps these, and the ids of notifications, in its database. */
const orders = [newOrder('coffee', '24.00', false), newOrder('grinder', '89.00', true)];
const taken = new Set<string>();
const allDone = Promise.withResolvers<void>();
let secret = '';

const server = createServer((request, response) => void receive(request, response).catch(allDone.reject));
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const endpointId = await register(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
try {
  const business = Promise.all([allDone.promise, ...orders.map(placeOrder)]);
  await Promise.race([business, once(process, 'SIGINT'), once(process, 'SIGTERM')]);
} finally {
  await engine.DELETE('/v1/notification-endpoints/{id}', { params: { path: { id: endpointId } } });
  server.close();
  server.closeAllConnections();
}
console.log(JSON.stringify({ orders }));
// The handlers of signals do not hold the process, but a call that is repeated would.
process.exit();

function newOrder(name: string, price: string, comesBack: boolean): Order {
  return { orderId: `${name}-${randomUUID().slice(0, 8)}`, price, comesBack, state: 'new' };
}

async function register(url: string): Promise<string> {
  const endpoint = await answered(() =>
    engine.POST('/v1/notification-endpoints', {
      params: { header: { 'Idempotency-Key': `endpoint-${url}-${randomUUID()}` } },
      body: { url, description: 'The example shop' },
    }),
  );
  secret = endpoint.secret;
  return endpoint.id;
}

/** The order's id is the key: however often it is sent, the payment is ordered once. */
async function placeOrder({ orderId, price }: Order): Promise<void> {
  await answered(() =>
    engine.POST('/v1/payments', {
      params: { header: { 'Idempotency-Key': `order-${orderId}` } },
      body: {
        orderId,
        intent: 'authorize',
        amount: { value: price, currency: 'USD' },
        returnUrl: `https://shop.example/orders/${orderId}/paid`,
        cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
      },
    }),
  );
}

/** Verifies, answers, and works afterwards. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let notification: Notification;
  try {
    notification = verifyNotification(request.headers, await text(request), secret);
  } catch {
    response.writeHead(400).end();
    return;
  }
  response.writeHead(204).end();
  // Delivery is at least once.
  if (taken.has(notification.id)) return;
  taken.add(notification.id);
  await doNextStep(notification);
  if (orders.every(({ state }) => ['shipped', 'refunded', 'failed'].includes(state))) allDone.resolve();
}

async function doNextStep(notification: Notification): Promise<void> {
  const order = orderOf(notification);
  // Others may use the same engine.
  if (!order) return;
  switch (notification.type) {
    case 'payment.awaiting_approval':
      console.log(`${order.orderId}: the customer pays at ${notification.data.approvalUrl}`);
      return;
    case 'payment.authorized':
      console.log(`${order.orderId}: ${order.price} USD are held; it is shipped, and captured`);
      order.paymentId = notification.data.id;
      return capture(order, notification.data.id);
    case 'payment.captured':
      if (!order.comesBack) return end(order, 'shipped');
      console.log(`${order.orderId}: the customer sends it back; it is refunded`);
      return refund(order, notification.data.id);
    case 'refund.completed':
      return end(order, 'refunded');
    case 'payment.declined':
    case 'payment.cancelled':
    case 'payment.expired':
    case 'payment.voided':
    case 'refund.failed':
      return end(order, 'failed');
    // Unknown outcomes, reviews, warnings: the engine continues by itself and reports the end.
    default:
  }
}

function orderOf({ data }: Notification): Order | undefined {
  if ('orderId' in data) return orders.find(({ orderId }) => orderId === data.orderId);
  if ('paymentId' in data) return orders.find(({ paymentId }) => paymentId === data.paymentId);
  return undefined;
}

async function capture({ orderId }: Order, id: string): Promise<void> {
  const params = { path: { id }, header: { 'Idempotency-Key': `ship-${orderId}` } };
  await answered(() => engine.POST('/v1/payments/{id}/captures', { params, body: {} }));
}

async function refund({ orderId }: Order, id: string): Promise<void> {
  const params = { path: { id }, header: { 'Idempotency-Key': `return-${orderId}` } };
  await answered(() => engine.POST('/v1/payments/{id}/refunds', { params, body: {} }));
}

function end(order: Order, state: string): void {
  order.state = state;
  console.log(`${order.orderId}: ${state}`);
}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** No answer, a 429 and a 5xx mean "not known yet": the same call under the same key again. */
async function answered<T>(call: () => Promise<Answer<T>>): Promise<NonNullable<T>> {
  for (;;) {
    const answer = await call().catch(() => undefined);
    if (answer?.data) return answer.data;
    const status = answer?.response.status ?? 503;
    if (status < 500 && status !== 429)
      throw new Error(`answered ${status}: ${JSON.stringify(answer?.error)}`);
    await sleep(1_000);
  }
}
