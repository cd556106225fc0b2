import { randomUUID } from 'node:crypto';
import { type Dispatcher, Pool } from 'undici';
import type { Contender } from '../harness/contender.js';
import { expectState, orderRequest, stateIn, workflowIdOf } from './engine-contender.js';

interface Answer {
  readonly id: string;
  readonly state: string;
  readonly approvalUrl: string | null;
}

/**
 * The engine as an order service meets it: its HTTP API in processes of its own.
 *
 * @param origins of these processes, which are asked in turns.
 */
export function openEngineOverHttp(origins: readonly string[], apiKey: string): Contender {
  const apis = origins.map((origin) => new Pool(origin, { connections: 64 }));
  let asked = 0;
  const request = async (
    options: Omit<Dispatcher.RequestOptions, 'origin'>,
  ): Promise<Dispatcher.ResponseData> => {
    const api = apis[(asked += 1) % apis.length];
    if (!api) throw new RangeError('no API process is given');
    return await api.request(options);
  };
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await request({
      method: 'POST',
      path,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 201) throw new Error(`POST ${path} was answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  return {
    name: 'oursOverHttp',
    async order() {
      const { id, state, approvalUrl } = (await post('/v1/payments', orderRequest())) as Answer;
      expectState('awaiting_approval', state);
      return { workflowId: workflowIdOf(id), paymentId: id, approvalUrl: approvalUrl ?? '' };
    },
    async payerReturned(_payment, { address }) {
      const { pathname, search } = new URL(address);
      const answer = await request({ method: 'GET', path: pathname + search });
      await answer.body.dump();
      expectState('authorized', stateIn(String(answer.headers['location'])));
    },
    async capture({ paymentId }) {
      const { payment } = (await post(`/v1/payments/${paymentId}/captures`, {})) as { payment: Answer };
      expectState('captured', payment.state);
    },
    async close() {
      for (const api of apis) await api.close();
    },
  };
}
