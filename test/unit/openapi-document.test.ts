import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '#api/openapi-document.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [keyword: string]: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: Document;
let ajv: Ajv2020;
beforeAll(async () => {
  document = (await openApiDocument()) as unknown as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true });
  (addFormatsModule as unknown as typeof addFormatsModule.default)(ajv);
  ajv.addSchema(document, 'document');
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

const componentOf = ({ $ref = '' }: Schema) => document.components.schemas[$ref.split('/').at(-1) ?? ''];

/** Every schema in the document, with where it stands. */
function* schemasIn(value: unknown, pointer = 'document#'): Generator<[string, Schema]> {
  if (typeof value !== 'object' || value === null) return;
  yield [pointer, value as Schema];
  for (const [key, member] of Object.entries(value))
    yield* schemasIn(
      member,
      `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`,
    );
}

test('the rules that Redocly recommends find nothing', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // A payer's browser is always redirected, and nobody is refused a look at the process.
      'operation-2xx-response': 'off',
      'operation-4xx-response': 'off',
    },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
});

test('every operation has a name of its own that a client can use', () => {
  const ids = operations().map(({ operationId }) => operationId);
  for (const id of ids) expect(id).toMatch(/^[a-z]+(?:[A-Z][a-z]+)+$/);
  expect(new Set(ids)).toHaveLength(ids.length);
});

test('every group says what it is for, and what no client calls is marked', () => {
  const { tags } = document as unknown as { tags: readonly { name: string; description: string }[] };
  const used = operations() as unknown as {
    readonly operationId: string;
    readonly tags: readonly string[];
    readonly 'x-internal'?: boolean;
  }[];
  expect(new Set(used.flatMap((operation) => operation.tags))).toEqual(new Set(tags.map(({ name }) => name)));
  for (const { name, description } of tags) expect(description, name).toBeTruthy();
  const internal = used.filter((operation) => operation['x-internal']).map(({ operationId }) => operationId);
  expect(internal.toSorted()).toEqual([
    'askToDecodePayloads',
    'decodePayloads',
    'getHealth',
    'getReadiness',
    'receiveWebhook',
    'returnApprovedPayer',
    'returnApprovedSubscriber',
    'returnCancelledPayer',
    'returnCancelledSubscriber',
    'signInToCodec',
  ]);
});

test('every parameter says what it means and what it takes', () => {
  for (const { operationId, parameters } of operations()) {
    for (const { name, description, schema } of parameters) {
      const where = `${operationId} ${name}`;
      expect(
        description,
        `${where} has no description: give it one by .meta, in openapi/field-words.ts or path-parameters.ts`,
      ).toBeTruthy();
      if (schema.type === 'integer') {
        expect(schema, where).toMatchObject({ minimum: expect.any(Number), maximum: expect.any(Number) });
        continue;
      }
      const isBounded = ['enum', 'format', 'pattern', 'maxLength', 'const'].some((keyword) =>
        JSON.stringify([schema, componentOf(schema)]).includes(`"${keyword}":`),
      );
      expect(isBounded, where).toBe(true);
    }
  }
});

test('every field says what it means', () => {
  for (const [pointer, { properties }] of schemasIn(document)) {
    if (typeof properties !== 'object' || pointer.includes('/webhooks/')) continue;
    for (const [name, field] of Object.entries(properties))
      expect(
        field.description,
        `${pointer} ${name} has no description: give it one by .meta, or its name one in openapi/field-words.ts`,
      ).toBeTruthy();
  }
});

test('a state is called `state` everywhere; a `status` is that of HTTP, or of the process', () => {
  const inFields = [...schemasIn(document)].flatMap(([pointer, { properties }]) =>
    typeof properties === 'object' && !pointer.endsWith('/properties')
      ? Object.keys(properties)
          .filter((name) => /status/i.test(name))
          .map((name) => `${pointer.slice('document#/components/schemas/'.length)} ${name}`)
      : [],
  );
  expect(inFields.toSorted()).toEqual([
    'Health status',
    'Notification/properties/attempts/items status',
    'NotificationDelivery lastStatus',
    'Problem status',
    'ProviderCall status',
  ]);
  const inQueries = operations().flatMap(({ operationId, parameters }) =>
    parameters.filter(({ name }) => /status/i.test(name)).map(({ name }) => `${operationId} ${name}`),
  );
  expect(inQueries).toEqual([]);
});

describe('examples', () => {
  test('all fit their schemas', () => {
    let count = 0;
    for (const [pointer, schema] of schemasIn(document)) {
      if (pointer.endsWith('/properties')) continue;
      if (schema.example === undefined) continue;
      count += 1;
      const isValid = ajv.validate({ $ref: pointer }, schema.example);
      expect(isValid, `${pointer}: ${ajv.errorsText()}`).toBe(true);
    }
    expect(count).toBeGreaterThan(40);
  });

  test('show a whole body of each request', () => {
    for (const { operationId, requestBody } of operations()) {
      const schema = requestBody?.content['application/json']?.schema;
      // The provider and Temporal's UI send these.
      if (!schema || ['receiveWebhook', 'decodePayloads'].includes(operationId)) continue;
      const component = schema.$ref?.split('/').at(-1) ?? '';
      expect(document.components.schemas[component], operationId).toHaveProperty('example');
    }
  });
});
