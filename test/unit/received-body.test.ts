import { describe, expect, it } from 'vitest';
import { parseJson } from '../../apps/api/src/server/received-body.js';
import { Problem } from '../../apps/api/src/problems/problem.js';

const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}1${']'.repeat(depth)}`);

describe('a body that is read', () => {
  it('nests no deeper than anybody’s payment does, also where all else about it is right', () => {
    expect(() => parseJson(nested(65))).toThrow(Problem);
    const event = `{"id":"WH-1","event_type":"X","resource":${nested(64).toString()}}`;
    expect(() => parseJson(Buffer.from(event))).toThrow(Problem);
    expect(JSON.stringify(parseJson(nested(64)))).toBe(nested(64).toString());
  });

  it('may speak of brackets in its texts, behind escaped quotes too', () => {
    const text = { note: `${'[{'.repeat(500)}\\"${'{'.repeat(100)}` };
    expect(parseJson(Buffer.from(JSON.stringify(text)))).toEqual(text);
  });

  it.each([
    ['half a document', Buffer.from('{"id"')],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', Buffer.alloc(0)],
  ])('is refused as %s', (_what, bytes) => {
    expect(() => parseJson(bytes)).toThrow(Problem);
  });
});
