import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '#api/openapi-document.js';
import { problemKinds } from '#api/problems/problem.js';

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
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: object }>> };
}

let ajv: Ajv2020;
let document: Document;
/** Each JSON answer of each operation. */
let answers: readonly { readonly name: string; readonly status: number; readonly media: Media }[];
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
      expect(example?.value, name).toBeTypeOf('object');
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

test('no example stands there for nothing', () => {
  const used = new Set(answers.flatMap(({ media }) => examplesOf(media).map(({ name }) => name)));
  expect(Object.keys(document.components.examples).toSorted()).toEqual([...used].toSorted());
});
