import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawMember } from '#sandbox/http/raw-member.js';

describe('a member of a JSON object', () => {
  it.each([
    ['{"a":{"x":1}}', '{"x":1}'],
    ['  { "b" : [ "}" , "\\"" ] ,\n\t"a" : { "x" : 1 , "y" : [ ] }\r\n }', '{ "x" : 1 , "y" : [ ] }'],
    ['{"a":"\\u0041\\"}","b":2}', '"\\u0041\\"}"'],
    ['{"\\u0061":-1.50e+3}', '-1.50e+3'],
    ['{"a":1,"a":{"second":true}}', '{"second":true}'],
    ['{"b":{"a":1},"a":null}', 'null'],
    ['{"b":"\\\\","a":"é€😀"}', '"é€😀"'],
    ['{"a":{"2":1,"1":2}}', '{"2":1,"1":2}'],
  ])('of %s is taken byte for byte', (json, raw) => {
    expect(rawMember(json, 'a')).toBe(raw);
  });

  it.each(['[1]', '"a"', '{}', '{"b":{"a":1}}', ''])('does not exist in %s', (json) => {
    expect(rawMember(json, 'a')).toBeUndefined();
  });

  it('parses to what the whole parses to, whatever surrounds it', () => {
    const space = fc.constantFrom('', ' ', '\n', '\t \r\n');
    const members = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.json(), space), { maxLength: 6 });
    fc.assert(
      fc.property(members, fc.json(), space, (others, wanted, gap) => {
        const pairs = [...others.filter(([name]) => name !== 'wanted'), ['wanted', wanted, gap] as const];
        const text = pairs.map(([name, value, s]) => `${s}${JSON.stringify(name)}${s}:${s}${value}${s}`);
        const json = `${gap}{${text.join(',')}}${gap}`;
        const raw = rawMember(json, 'wanted');
        expect(raw).toBe(wanted);
      }),
      { numRuns: 500 },
    );
  });
});
