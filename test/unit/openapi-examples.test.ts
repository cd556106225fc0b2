import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '#api/openapi-document.js';
import { problemKinds } from '#api/problems/problem.js';
import { notificationTypeNames } from '#database/notifications';
import { paymentStatuses } from '#workflows/lifecycle/payment';
import { payoutStatuses } from '#workflows/lifecycle/payout';
import { refundStatuses } from '#workflows/lifecycle/refund';
import { subscriptionStatuses } from '#workflows/lifecycle/subscription';
import { sampleEvents as paymentEvents } from '../lifecycle/payment/sample-events.js';
import { sampleEvents as refundEvents } from '../lifecycle/refund/sample-events.js';

interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, Media>> }>
            >;
          }
        >
      >
    >
  >;
  readonly webhooks: Readonly<
    Record<
      string,
      {
        readonly post: { readonly requestBody: { readonly content: Readonly<Record<string, Media>> } };
      }
    >
  >;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: object }>> };
}

interface Body {
  readonly type: string;
  readonly createdAt: string;
  readonly data: {
    readonly state?: string;
    readonly updatedAt?: string;
    readonly pendingOperation?: { readonly reviewAt: string | null } | null;
  };
}

let ajv: Ajv2020;
let document: Document;
/** Each JSON answer of each operation. */
let answers: readonly { readonly name: string; readonly status: number; readonly media: Media }[];
/** The body of each notification. */
let bodies: readonly { readonly type: string; readonly pointer: string; readonly media: Media }[];
beforeAll(async () => {
  document = (await openApiDocument()) as unknown as Document;
  ajv = new Ajv2020({ strict: false, allErrors: true, formats: { base64: true } });
  (addFormatsModule as unknown as typeof addFormatsModule.default)(ajv);
  ajv.addSchema(document, 'document');
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  answers = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content)
        .filter(([type]) => type.endsWith('json'))
        .map(([, media]) => ({ name: `${operationId} ${status}`, status: Number(status), media })),
    ),
  );
  bodies = Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    pointer: `document#/webhooks/${type}/post/requestBody/content/application~1json/schema`,
    media: post.requestBody.content['application/json'] ?? {},
  }));
});

const examplesOf = ({ examples = {} }: Media) =>
  Object.values(examples).map(({ $ref }) => ({
    name: $ref.split('/').at(-1) ?? '',
    value: document.components.examples[$ref.split('/').at(-1) ?? '']?.value,
  }));

describe('every answer', () => {
  test('has a whole example, which fits its schema', () => {
    expect(answers.length).toBeGreaterThan(600);
    for (const { name, media } of answers) {
      const [example, ...others] = examplesOf(media);
      expect(others, name).toEqual([]);
      expect(example?.value, `${name} has no example in openapi/examples/answers.ts`).toBeTypeOf('object');
      const validate = ajv.getSchema(`document${media.schema?.$ref ?? ''}`);
      expect(validate?.(example?.value), `${name}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
    }
  });

  test('that is a problem has an example of its status, with the title that the API gives it', () => {
    for (const { name, status, media } of answers.filter((answer) => answer.status >= 400)) {
      const { value } = examplesOf(media)[0] ?? {};
      const { type, title } = value as { readonly type: string; readonly title: string };
      const kind = type.split(':').at(-1) as keyof typeof problemKinds;
      expect([status, title], name).toEqual(problemKinds[kind]);
    }
  });

  test('that is under way shows the call whose outcome is not known', () => {
    const underWay = answers.filter(({ name }) => /^(?:order|check|capture|void)\w+ 202$/.test(name));
    expect(underWay.length).toBeGreaterThan(5);
    for (const { name, media } of underWay)
      expect(JSON.stringify(examplesOf(media)[0]?.value), name).toContain('"pendingOperation":{');
  });
});

const bodyOf = (media: Media) => examplesOf(media)[0]?.value as Body | undefined;

describe('every notification', () => {
  test('has a whole example, which fits its schema', () => {
    expect(bodies.map(({ type }) => type)).toEqual(notificationTypeNames);
    for (const { type, pointer, media } of bodies) {
      const [example, ...others] = examplesOf(media);
      expect(others, type).toEqual([]);
      expect(example?.value, `${type} has no example in openapi/examples/notifications.ts`).toBeTypeOf(
        'object',
      );
      const validate = ajv.getSchema(pointer);
      expect(validate?.(example?.value), `${type}: ${ajv.errorsText(validate?.errors)}`).toBe(true);
    }
  });

  test('shows what its type says: the state, the doubt, and the instant of the change', () => {
    const statuses: Readonly<Record<string, readonly string[]>> = {
      payment: paymentStatuses,
      refund: refundStatuses,
      chargeback: refundStatuses,
      subscription: subscriptionStatuses,
      payout: payoutStatuses,
    };
    let count = 0;
    for (const { type, media } of bodies) {
      const [subject = '', name = ''] = type.split('.');
      const { data, createdAt } = bodyOf(media)!;
      expect(createdAt, type).toBe(data.updatedAt ?? createdAt);
      if (name === 'in_doubt')
        expect(data.pendingOperation, type).toMatchObject({ kind: expect.any(String) });
      if (!statuses[subject]?.includes(name)) continue;
      count += 1;
      expect(data.state, type).toBe(name);
    }
    expect(count).toBeGreaterThan(25);
  });
});

test('no example stands there for nothing', () => {
  const used = new Set(
    [...answers, ...bodies].flatMap(({ media }) => examplesOf(media).map(({ name }) => name)),
  );
  expect(Object.keys(document.components.examples).toSorted()).toEqual([...used].toSorted());
});

test('the timelines of examples hold only events that payments and refunds have', () => {
  const known = new Set(
    [...Object.values(paymentEvents), ...Object.values(refundEvents)].map(({ type }) => type as string),
  );
  const texts = JSON.stringify(document.components.examples);
  const shown = Array.from(texts.matchAll(/"event":"(\w+)"/g), ([, event]) => event);
  expect(shown.length).toBeGreaterThan(10);
  for (const event of shown) expect(known).toContain(event);
});
