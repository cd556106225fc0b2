import { describe, expect, it } from 'vitest';
import { replaceCode } from '#proof/breakages/replace-code.js';

const source = `
class Row {
  /** return false; */
  write(value: Value) {
    return call(
      value,
      // Why it is so.
      'a text',
    );
  }
  read() { return false; }
}
function read() { return false; }
const query = sql\`update rows
  set at = now()\`;
`;
const change = (from: string, place?: string) => replaceCode(source, { from, to: 'BROKEN', in: place });

describe('a replacement of code', () => {
  it('finds its place whatever the format, and leaves the rest as it is', () => {
    expect(change(`return call(value, 'a text');`)).toBe(source.replace(/return call\([^)]*\);/s, 'BROKEN'));
    expect(change(`'a text',`)).toBe(source.replace(`'a text',`, 'BROKEN'));
    expect(change('rows set at')).toBe(source.replace(/rows\s+set at/, 'BROKEN'));
  });

  it('is refused where its code is missing, is in a comment only, or stands twice', () => {
    expect(change('return true;')).toBeUndefined();
    expect(change('Why it is so.')).toBeUndefined();
    expect(change('return false;')).toBeUndefined();
  });

  it('finds its place within a declaration, wherever that stands', () => {
    expect(change('return false;', 'Row.read')).toBe(
      source.replace('read() { return false; }', 'read() { BROKEN }'),
    );
    expect(change('set at = now()', 'query')).toContain('BROKEN`');
    expect(change('return false;', 'Row.write')).toBeUndefined();
    expect(change('return false;', 'noSuchName')).toBeUndefined();
    expect(change('return false;', 'read'), 'two declarations have this name').toBeUndefined();
  });
});
