import { beforeAll, describe, expect, test } from 'vitest';
import { itemNews } from '#database/notifications/payout-news.js';
import { openApiDocument } from '#api/openapi-document.js';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
}
interface Link {
  readonly operationId: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
        readonly links?: Readonly<Record<string, Link>>;
      }
    >
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let document: Document;
beforeAll(async () => {
  document = (await openApiDocument()) as unknown as Document;
});

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods));

const linksOf = (operationId: string, status: string) => {
  const operation = operations().find((each) => each.operationId === operationId);
  return operation?.responses[status]?.links ?? {};
};

/** What a JSON pointer leads to in an answer of this schema. */
const partOf = (whole: Schema | undefined, pointer: string) =>
  pointer.split('/').reduce<Schema | undefined>((schema, step) => {
    const { properties, items } = resolved(schema) ?? {};
    return /^\d+$/.test(step) ? items : properties?.[step];
  }, whole);

const resolved = (schema: Schema | undefined) =>
  schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];

/** The sentences of a field's description, by its values. */
const sentencesOf = ({ enum: values, description = '' }: Schema) => {
  const sentences = new Map(
    [...description.matchAll(/^- `(\w+)`: (.+)$/gm)].map(([, value = '', sentence]) => [value, sentence]),
  );
  return { values, sentences };
};

describe('a state', () => {
  test('of a resource says of each value what it means', () => {
    for (const name of [
      'Payment',
      'Capture',
      'Sale',
      'Refund',
      'Plan',
      'Subscription',
      'Payout',
      'PayoutItem',
    ]) {
      const { values, sentences } = sentencesOf(
        document.components.schemas[name]?.properties?.['state'] ?? {},
      );
      expect([...sentences.keys()], name).toEqual(values);
      expect(sentences.size, name).toBeGreaterThan(2);
    }
  });

  test('of an item names its notification, which is not always called like it', () => {
    const { sentences } = sentencesOf(document.components.schemas['PayoutItem']?.properties?.['state'] ?? {});
    for (const [state, type] of Object.entries(itemNews))
      expect(sentences.get(state), state).toContain(`\`${type}\``);
  });
});

describe('a link', () => {
  test('leads to an operation that exists, and names all that its path needs and nothing that it does not take', () => {
    let count = 0;
    for (const { operationId: from, responses } of operations()) {
      for (const { links = {} } of Object.values(responses)) {
        for (const { operationId, description, parameters } of Object.values(links)) {
          const target = operations().find((each) => each.operationId === operationId);
          const known = target?.parameters ?? [];
          const where = `${from} → ${operationId}`;
          expect(
            known.map(({ name }) => name),
            where,
          ).toEqual(expect.arrayContaining(Object.keys(parameters)));
          const needed = known.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
          expect(Object.keys(parameters), where).toEqual(expect.arrayContaining(needed));
          expect(description, where).toBeTruthy();
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(150);
  });

  test('finds each id that it names in the answer', () => {
    for (const { operationId: from, responses } of operations()) {
      for (const { content = {}, links = {} } of Object.values(responses)) {
        for (const expression of Object.values(links).flatMap(({ parameters }) =>
          Object.values(parameters),
        )) {
          const pointer = /^\$response\.body#\/(.+)$/.exec(expression)?.[1];
          if (pointer === undefined) continue;
          expect(partOf(content['application/json']?.schema, pointer), `${from}: ${pointer}`).toBeDefined();
        }
      }
    }
  });

  test('leads from an order, ordered or read, to everything that can be done with it', () => {
    const possible = [
      'getPaymentTimeline',
      'getPaymentReview',
      'decidePaymentReview',
      'checkPayment',
      'voidPayment',
      'releasePayment',
      'cancelPayment',
      'reauthorizePayment',
      'capturePayment',
      'listCaptures',
      'refundPayment',
      'listPaymentRefunds',
      'listenToPaymentEvents',
    ];
    for (const [operationId, status] of [
      ['orderPayment', '201'],
      ['orderPayment', '202'],
      ['getPayment', '200'],
    ] as const)
      expect(Object.keys(linksOf(operationId, status)), `${operationId} ${status}`).toEqual(
        expect.arrayContaining(possible),
      );
    expect(Object.keys(linksOf('orderPayment', '201'))).toContain('getPayment');
    expect(Object.keys(linksOf('getRefund', '200'))).toContain('getPayment');
    expect(Object.keys(linksOf('getSubscription', '200'))).toEqual(
      expect.arrayContaining(['suspendSubscription', 'cancelSubscription', 'getPlan']),
    );
    expect(Object.keys(linksOf('listPayoutItems', '200'))).toEqual(['cancelPayoutItem']);
  });
});
