import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { type Answer, ApiFixture, authorizedState } from './api-fixture.js';

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly links?: Readonly<Record<string, Link>> }>>;
}
interface Described extends Operation {
  readonly path: string;
  readonly method: string;
}

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));
let operations: readonly Described[];
beforeAll(async () => {
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  const { paths } = body as unknown as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
});

const operationOf = (operationId: string): Described => {
  const found = operations.find((each) => each.operationId === operationId);
  if (!found) throw new Error(`no operation ${operationId}`);
  return found;
};

/** What an expression of a link stands for; undefined where the answer has nothing there. */
function valueOf(
  expression: string,
  answer: Answer,
  path: Readonly<Record<string, string>>,
): string | undefined {
  const name = /^\$request\.path\.(\w+)$/.exec(expression)?.[1];
  if (name !== undefined) return path[name];
  const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1];
  if (pointer === undefined) throw new Error(`no expression: ${expression}`);
  const found = pointer
    .split('/')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], answer.body);
  return typeof found === 'string' ? found : undefined;
}

/** Follows the links of an answer to what can be read, and sends nothing where they lead to a command. */
async function follow(operationId: string, answer: Answer, path: Readonly<Record<string, string>> = {}) {
  const { links = {} } = operationOf(operationId).responses[String(answer.status)] ?? {};
  const followed: string[] = [];
  for (const { operationId: to, parameters } of Object.values(links)) {
    const values = Object.entries(parameters).map(
      ([name, expression]) => [name, valueOf(expression, answer, path)] as const,
    );
    if (values.some(([, value]) => value === undefined)) continue;
    const { path: template, method } = operationOf(to);
    const given = new Map(values as [string, string][]);
    const address = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = given.get(name) ?? '';
      given.delete(name);
      return encodeURIComponent(value);
    });
    followed.push(to);
    if (method !== 'get' || to.startsWith('listenTo')) continue;
    const reached = await api.call('GET', `${address}?${String(new URLSearchParams([...given]))}`);
    expect(reached.status, `${operationId} → ${to}: ${reached.text}`).toBe(200);
  }
  return followed;
}

test('the links of an order and of a payment lead to what there is of it', async () => {
  const ordered = await api.order();
  expect(await follow('orderPayment', ordered)).toContain('getPayment');
  const captures = [{ captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false }] as const;
  const id = await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
  const refund = await api.call('POST', `/v1/payments/${id}/refunds`, {
    idempotencyKey: randomUUID(),
    body: { amount: { value: '1.00', currency: 'USD' } },
  });
  expect(await follow('refundPayment', refund)).toEqual(expect.arrayContaining(['getRefund', 'getPayment']));
  const shown = await api.call('GET', `/v1/payments/${id}`);
  expect(await follow('getPayment', shown)).toEqual(
    expect.arrayContaining(['capturePayment', 'getCapture', 'getRefund', 'listRefunds', 'listWebhookEvents']),
  );
  const list = await api.call('GET', '/v1/payments');
  expect(await follow('listPayments', list)).toContain('getPayment');
});

test('those of a plan, a payout and an endpoint do, too', async () => {
  const post = async (path: string, body: object) =>
    await api.call('POST', path, { body, idempotencyKey: randomUUID() });
  const plan = await post('/v1/plans', {
    name: 'Magazine',
    description: 'Monthly',
    currency: 'USD',
    regular: { frequency: 'MONTH', cycles: 12, amount: '10.00' },
  });
  expect(await follow('orderPlan', plan)).toEqual(expect.arrayContaining(['getPlan', 'listSubscriptions']));
  const payout = await post('/v1/payouts', {
    items: [
      {
        itemId: 'anna-1',
        receiver: { type: 'EMAIL', value: 'anna@example.com' },
        amount: { value: '7.50', currency: 'USD' },
      },
    ],
  });
  expect(await follow('orderPayout', payout)).toContain('listPayoutItems');
  const id = String(payout.body['id']);
  const items = await api.call('GET', `/v1/payouts/${id}/items`);
  expect(await follow('listPayoutItems', items, { id })).toEqual(['cancelPayoutItem']);
});
