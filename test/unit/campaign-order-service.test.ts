import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { OrderService } from '#proof/faults/order-service.js';
import { ReportedEnds } from '#proof/faults/reported-ends.js';
import { payment, problem } from './sample-answers.js';

const view = z.object({ id: z.string(), version: z.int() });

it('an order service of a campaign holds what a refusal told against later answers, but not what was kept of it', async () => {
  const answers = [
    [409, problem(409, { currentState: 'partially_captured', paymentId: 'pay_1' })],
    [409, problem(409, { currentState: 'captured', paymentId: 'pay_1' })],
    [409, problem(409, { currentState: 'partially_captured', paymentId: 'pay_1' })],
    [200, payment('capturing')],
  ] as const;
  let answered = 0;
  const server = createServer((_request, response) => {
    const [status, body] = answers[answered] ?? [500, {}];
    answered += 1;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reported = new ReportedEnds();
  const { port } = server.address() as AddressInfo;
  const orders = new OrderService([`http://127.0.0.1:${port}`], 'key', reported);
  const signal = AbortSignal.timeout(30_000);
  const first = orders.newCommand('refund', '/v1/payments/pay_1/refunds', {});
  await orders.submit(first, signal);
  await orders.submit(orders.newCommand('capture', '/v1/payments/pay_1/captures', {}), signal);
  await orders.submit({ ...first }, signal);
  expect(reported.discrepancies).toEqual([]);
  await orders.read('/v1/payments/pay_1', view, signal);
  expect(reported.discrepancies).toMatchObject([
    { kind: 'finalUndone', what: expect.stringContaining('captured') },
  ]);
  server.closeAllConnections();
  server.close();
});
