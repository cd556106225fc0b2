import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { orderedAmount, shopUrls, type Contender } from '../harness/contender.js';
import type { DbosEvent, DbosRequest } from './dbos-payment.js';

/** Over HTTP, because DBOS runs workflows in the process that takes the requests. */
export function openDbos(origin: string): Contender {
  const api = new Pool(origin, { connections: 64 });
  const ask = async (path: string, body: object): Promise<string> => {
    const answer = await api.request({ method: 'POST', path, body: JSON.stringify(body) });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`the DBOS contender answered ${answer.statusCode}: ${text}`);
    return text;
  };
  const send = async (id: string, request: DbosRequest, event: DbosEvent, message: string): Promise<void> => {
    await ask(`/payments/${id}`, { request, event, message });
  };
  return {
    name: 'dbos',
    async order() {
      const paymentId = `pay_${randomUUID()}`;
      const order = { paymentId, orderId: paymentId, amount: orderedAmount, ...shopUrls };
      return { workflowId: paymentId, paymentId, approvalUrl: await ask('/payments', order) };
    },
    payerReturned: ({ paymentId }, { payerId }) => send(paymentId, 'payer', 'authorized', payerId),
    capture: ({ paymentId }) => send(paymentId, 'capture', 'captured', 'now'),
    close: () => api.close(),
  };
}
