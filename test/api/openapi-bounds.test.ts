import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ApiFixture, authorizedState } from './api-fixture.js';

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
  };
}

let api: ApiFixture;
let operations: readonly (Operation & { readonly path: string })[];
let exampleOf: (operationId: string) => Record<string, unknown>;
beforeAll(async () => {
  const notifications = {
    allowsAnyAddress: true,
    resolve: async () => [{ address: '192.0.2.1', family: 4 }],
  };
  api = await ApiFixture.start({ answerWithinMs: 1, notifications });
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  const document = body as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, { readonly example?: object }>>;
    };
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );
  exampleOf = (operationId) => {
    const operation = operations.find((each) => each.operationId === operationId);
    const name = operation?.requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    return { ...document.components.schemas[name]?.example };
  };
});
afterAll(async () => {
  await api.close();
});

/** Payers' browsers bring parameters that are not ours. */
const queried = () =>
  operations.filter(
    ({ tags, parameters }) => !tags.includes('Payer') && parameters.some((each) => each.in === 'query'),
  );

const addressOf = (path: string) => path.replaceAll('{id}', `pay_${'0'.repeat(36)}`);

function ask(path: string, name: string, value: string): Promise<Answer> {
  return api.call('GET', `${addressOf(path)}?${String(new URLSearchParams({ [name]: value }))}`);
}

function parametersNamed({ body }: Answer): unknown[] {
  return ((body['errors'] ?? []) as { readonly parameter?: string }[]).map(({ parameter }) => parameter);
}

describe('a query parameter', () => {
  test('takes what the document allows, and is named where it does not', async () => {
    let count = 0;
    for (const { operationId, path, parameters } of queried()) {
      for (const { name, schema } of parameters.filter((each) => each.in === 'query')) {
        const { taken, refused } = valuesOf(schema);
        for (const value of taken) {
          const answer = await ask(path, name, value);
          // A filter may need another one; it is not refused for its own value.
          expect([200, 404, 422], `${operationId} ${name}=${value}`).toContain(answer.status);
          expect(parametersNamed(answer), `${operationId} ${name}=${value}`).not.toContain(name);
        }
        for (const value of refused) {
          const answer = await ask(path, name, value);
          expect([answer.status, ...parametersNamed(answer)], `${operationId} ${name}=${value}`).toEqual([
            422,
            name,
          ]);
        }
        count += taken.length + refused.length;
      }
    }
    expect(count).toBeGreaterThan(150);
  });

  test('that is unknown is named, never ignored', async () => {
    for (const { operationId, path } of queried()) {
      const answer = await ask(path, 'colour', 'blue');
      expect([answer.status, ...parametersNamed(answer)], operationId).toEqual([422, 'colour']);
    }
  });
});

function valuesOf(schema: Schema): {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
} {
  if (schema.type === 'array') {
    const { taken, refused } = valuesOf(schema.items ?? {});
    return { taken: [...taken, taken.join(',')], refused };
  }
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) {
    return {
      taken: [String(minimum), String(maximum)],
      refused: [String(minimum - 1), String(maximum + 1), `${minimum}.5`, 'many', ''],
    };
  }
  if (schema.enum) return { taken: schema.enum, refused: [`${schema.enum[0]}x`, ''] };
  if (schema.format === 'date-time')
    return {
      taken: ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.5+02:00'],
      refused: ['2030-02-30T12:00:00Z', 'today', ''],
    };
  // What the pattern of an opaque text allows is not all written by the API.
  return { taken: [], refused: schema.pattern === undefined ? [] : ['\u0007'] };
}

async function send(operationId: string, path: string, change: object = {}): Promise<Answer> {
  const answer = await api.call('POST', path, {
    body: { ...exampleOf(operationId), ...change },
    idempotencyKey: randomUUID(),
  });
  expect([200, 201, 202], `${operationId}: ${answer.text}`).toContain(answer.status);
  return answer;
}

const idOf = ({ body }: Answer) => String(body['id']);

async function activePlan(): Promise<string> {
  const planId = idOf(await send('orderPlan', '/v1/plans'));
  await api.db.updateTable('plans').set({ status: 'active' }).where('id', '=', planId).execute();
  return planId;
}

describe('the example of a request', () => {
  test.each([
    ['orderPayment', '/v1/payments'],
    ['orderPayout', '/v1/payouts'],
    ['orderPlan', '/v1/plans'],
    ['registerNotificationEndpoint', '/v1/notification-endpoints'],
  ])('%s is taken as it is', async (operationId, path) => {
    await send(operationId, path);
  });

  test('orderSubscription is taken for a plan that exists', async () => {
    await send('orderSubscription', '/v1/subscriptions', { planId: await activePlan() });
  });

  test.each([
    ['capturePayment', 'captures'],
    ['voidPayment', 'void'],
  ])('%s is taken while the funds are held', async (operationId, path) => {
    await send(operationId, `/v1/payments/${await api.paymentWith(authorizedState())}/${path}`);
  });

  test('cancelPayment is taken before an approval', async () => {
    await send(
      'cancelPayment',
      `/v1/payments/${await api.paymentWith({ status: 'awaiting_approval' })}/cancel`,
    );
  });

  test('refundPayment is taken after a capture', async () => {
    const captures = [{ captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false }] as const;
    const id = await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
    await send('refundPayment', `/v1/payments/${id}/refunds`);
  });

  test('those of an endpoint are taken', async () => {
    const path = `/v1/notification-endpoints/${idOf(await send('registerNotificationEndpoint', '/v1/notification-endpoints'))}`;
    await send('rotateNotificationSecret', `${path}/rotate-secret`);
    await send('replayNotifications', `${path}/replay`);
    const changed = await api.call('PATCH', path, { body: exampleOf('changeNotificationEndpoint') });
    expect(changed.status, changed.text).toBe(200);
  });
});
