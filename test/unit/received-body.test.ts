import { describe, expect, it } from 'vitest';
import { ReceivedBody, parseJson, parseJsonBody } from '#api/requests/received-body.js';
import { Problem } from '#api/problems/problem.js';

const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}1${']'.repeat(depth)}`);

const itemsOf = (count: number, item: string) =>
  Buffer.from(`{"note":"a,b","items":[${`${item},`.repeat(count - 1)}${item}]}`);

describe('a received body', () => {
  it('nests no deeper than any payment does, even when all else about it is right', () => {
    expect(() => parseJson(nested(65))).toThrow(Problem);
    const event = `{"id":"WH-1","event_type":"X","resource":${nested(64).toString()}}`;
    expect(() => parseJson(Buffer.from(event))).toThrow(Problem);
    expect(JSON.stringify(parseJson(nested(64)))).toBe(nested(64).toString());
  });

  it('may contain brackets in its texts, even after escaped quotes', () => {
    const text = { note: `${'[{'.repeat(500)}\\"${'{'.repeat(100)}` };
    expect(parseJson(Buffer.from(JSON.stringify(text)))).toEqual(text);
  });

  it('lists no more than a payout may, and the refusal names the list', () => {
    expect(parseJson(itemsOf(10_000, '{"a":"\\\\","b":",,"}'))).toMatchObject({ note: 'a,b' });
    expect(refusalOf(itemsOf(10_001, '{}'))).toMatchObject({
      status: 422,
      errors: [{ pointer: '/items', detail: 'must hold at most 10000 items' }],
    });
  });

  it('holds no more values than the largest payout', () => {
    const item = `{${Array.from({ length: 30 }, (_none, at) => `"${at}":0`).join(',')}}`;
    expect(refusalOf(itemsOf(9_000, item))).toMatchObject({ status: 413 });
  });

  it('is not read beyond its first excess, however long it is', () => {
    const begun = itemsOf(2_800_000, '{}');
    // The brackets and commas of all but the first items could not be distinguished from what is no JSON at all.
    expect(refusalOf(begun.subarray(0, 30_030))).toMatchObject({ status: 422 });
    expect(refusalOf(Buffer.concat([begun.subarray(0, 30_030), Buffer.alloc(8_000_000, '[')]))).toMatchObject(
      {
        status: 422,
      },
    );
  });

  it.each([
    ['half a document', Buffer.from('{"id"')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused as %s', (_what, bytes) => {
    expect(() => parseJson(bytes)).toThrow(Problem);
  });
});

const bodyOf = (text: string) => new ReceivedBody('application/json', Buffer.from(text));

describe('a body that names a field twice', () => {
  it.each([
    ['at its top', '{"amount":1,"note":"a","amount":2}', 'amount'],
    ['within a list', '{"items":[{"a":{"id":1}},{"a":{"b":1, "b" : 1}}]}', 'b'],
    ['written in two ways', String.raw`{"id":1,"\u0069d":2}`, 'id'],
    ['that holds a quote', String.raw`{"\"":1,"\"":2}`, String.raw`\"`],
  ])('%s is refused, and the refusal says which', (_where, text, name) => {
    expect(refusalOf(() => parseJsonBody(bodyOf(text)))).toMatchObject({
      status: 400,
      code: 'malformed_request',
      detail: `The body names "${name}" twice in one object.`,
    });
  });

  it('has its name told up to a length only', () => {
    const long = 'x'.repeat(9_000);
    const refusal = refusalOf(() => parseJsonBody(bodyOf(`{"${long}":1,"${long}":2}`)));
    expect(JSON.stringify(refusal).length).toBeLessThan(400);
  });

  it.each([
    '{"a":{"id":1},"b":{"id":2},"id":[{"id":"a:b"},{"id":":\\":","c":[]}],"__proto__":{"id":":"}}',
    '[]',
    '":"',
    '7',
  ])('is none of these: %s', (text) => {
    expect(parseJsonBody(bodyOf(text))).toEqual(JSON.parse(text));
  });

  it('is found in the event of a provider by nobody: what it means is not for us to refuse', () => {
    expect(parseJson(Buffer.from('{"id":1,"id":2}'))).toEqual({ id: 2 });
  });
});

function refusalOf(parse: Buffer | (() => unknown)): unknown {
  try {
    return typeof parse === 'function' ? parse() : parseJson(parse);
  } catch (error) {
    if (error instanceof Problem) return error.document();
    throw error;
  }
}
