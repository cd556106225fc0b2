import { beforeAll, describe, expect, test, vi } from 'vitest';
import { notificationTypeNames } from '#database/notifications';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';
import { everyRoute } from './every-route.js';

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: unknown }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: unknown }>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly info: { readonly description: string };
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly examples: Readonly<Record<string, unknown>>;
    readonly securitySchemes: unknown;
  };
}

let document: Document;
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  document = (await api.call('GET', '/openapi.json', { apiKey: null })).body as unknown as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  );

const ask = async (headers: Record<string, string> = {}) =>
  await fetch(`${api.url}/openapi.json`, { headers });

/** Every value in the document, with what it is called. */
function* valuesIn(value: unknown, name = ''): Generator<[string, unknown]> {
  yield [name, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) yield* valuesIn(member, key);
}

test('the root address redirects a browser to the page that tries the API', async () => {
  const answer = await fetch(`${api.url}/`, { redirect: 'manual' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
});

describe('the OpenAPI document', () => {
  test('is built once, sent unchanged to everyone, and not sent again to a caller who has it', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    const answers = [await ask(), await ask()];
    const written = stringify.mock.results.filter(({ value }) => String(value).includes('"openapi":'));
    stringify.mockRestore();
    expect(written.length).toBe(0);
    expect(answers[0]?.headers.get('content-type')).toContain('application/json');
    for (const answer of answers) expect(await answer.json()).toEqual(document);
    const etag = answers[0]?.headers.get('etag') ?? '';
    const again = await ask({ 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await ask({ 'if-none-match': '"another"' })).status).toBe(200);
  });

  test('is version 3.1 and holds every route', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(everyRoute);
  });

  test('explains keys, repeats and outcomes before all operations', () => {
    for (const word of ['Authorization', 'Idempotency-Key', '202', 'RFC 9457'])
      expect(document.info.description).toContain(word);
    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'http', scheme: 'bearer', description: expect.any(String) },
    });
  });

  test('describes each operation: its purpose, its answers, its problems', () => {
    for (const { name, operation } of operations()) {
      expect(operation.summary, name).toBeTruthy();
      expect(operation.tags, name).toHaveLength(1);
      const statuses = Object.keys(operation.responses);
      expect(
        statuses.some((status) => /^[23]/.test(status)),
        name,
      ).toBe(true);
      const refusals = Object.entries(operation.responses).filter(([status]) => /^[45]/.test(status));
      for (const [, refusal] of refusals)
        expect(refusal.content, name).toHaveProperty('application/problem+json');
      if (name !== 'get /healthz') expect(refusals, name).not.toHaveLength(0);
    }
  });

  test('names each path parameter', () => {
    for (const { name, operation } of operations()) {
      const inPath = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => String(parameter));
      const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(described.map((parameter) => parameter.name).toSorted(), name).toEqual(inPath.toSorted());
    }
  });

  test('refers to nothing outside it', () => {
    for (const [name, value] of valuesIn(document)) {
      if (name !== '$ref') continue;
      const [, kind = '', component = ''] =
        /^#\/components\/(schemas|headers|examples)\/([\w-]+)$/.exec(String(value)) ?? [];
      expect(document.components[kind as 'schemas' | 'headers' | 'examples'], String(value)).toHaveProperty(
        component,
      );
    }
  });

  test('holds a webhook for each type of notification, and every component that is referred to', () => {
    expect(Object.keys(document.webhooks)).toEqual(notificationTypeNames);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      expect(post.summary).not.toBe('');
      expect(JSON.stringify(post.requestBody)).toContain(`{"const":"${type}"}`);
    }
    const references = [...valuesIn(document)]
      .filter(([name]) => name === '$ref')
      .map(([, value]) => String(value));
    const components = new Set(Object.keys(document.components.schemas));
    for (const reference of references.filter(
      (each) => !/^#\/components\/(?:headers|examples)\//.test(each),
    )) {
      expect(reference).toMatch(/^#\/components\/schemas\/\w+$/);
      expect(components).toContain(reference.split('/').at(-1));
    }
  });

  test('describes for every resource what it shows while an outcome is unknown', () => {
    for (const resource of ['Payment', 'Refund', 'Subscription', 'Plan', 'Payout']) {
      const { properties } = document.components.schemas[resource] as { properties: Record<string, unknown> };
      const reference = JSON.stringify(properties['pendingOperation']);
      expect(reference, resource).toContain('#/components/schemas/PendingOperation');
    }
    expect(document.components.schemas['PendingOperation']).toMatchObject({
      required: ['kind', 'amount', 'since', 'nextCheckAt', 'reviewAt'],
    });
  });

  test('describes an order field by field', () => {
    expect(document.components.schemas['PaymentOrder']).toMatchObject({
      required: expect.arrayContaining(['orderId', 'amount', 'returnUrl', 'cancelUrl']),
      additionalProperties: false,
      properties: {
        intent: { enum: ['authorize', 'sale'], default: 'authorize' },
        amount: {
          properties: { value: { type: 'string' }, currency: { $ref: '#/components/schemas/CurrencyCode' } },
        },
        expiryPolicy: { properties: { action: { enum: ['void', 'capture', 'expire'] } } },
      },
    });
  });
});

describe('the page to try the API', () => {
  test('loads files of its own origin only', async () => {
    const page = await api.call('GET', '/docs', { apiKey: null });
    expect(page.status).toBe(200);
    const addresses = [...page.text.matchAll(/(?:src|href)=["']([^"']+)/g)].map(([, address]) =>
      String(address),
    );
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) {
      // Of another origin if it began with a scheme or two slashes.
      expect(address).toMatch(/^\.?\/(?!\/)/);
      expect((await api.call('GET', address.replace(/^\./, ''), { apiKey: null })).status, address).toBe(200);
    }
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
  });
});
