import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, ApiFixture } from './api-fixture.js';

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
}

let api: ApiFixture;
let operations: readonly (Operation & { readonly path: string })[];
beforeAll(async () => {
  api = await ApiFixture.start({ answerWithinMs: 1 });
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  const document = body as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ ...operation, path })),
  );
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
