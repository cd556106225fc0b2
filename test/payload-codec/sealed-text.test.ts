import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openSealedText, sealText } from '#payload-codec';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const before = { current: 'old', keys: new Map([['old', oldKey]]) };
const after = {
  current: 'new',
  keys: new Map([
    ['old', oldKey],
    ['new', newKey],
  ]),
};

describe('a sealed text', () => {
  it('can be read under its key, even after another one has become current, and reveals nothing by itself', () => {
    const sealed = sealText(before, 'anna@example.com', 'po_1');
    expect(openSealedText(after, sealed, 'po_1')).toBe('anna@example.com');
    expect(sealed.toString('latin1')).not.toContain('anna');
    expect(sealText(before, 'anna@example.com', 'po_1').equals(sealed)).toBe(false);
  });

  it('cannot be read in another place, without its key, or once a byte of it was changed', () => {
    const sealed = sealText(after, 'anna@example.com', 'po_1');
    expect(() => openSealedText(after, sealed, 'po_2')).toThrow();
    expect(() => openSealedText(before, sealed, 'po_1')).toThrow('not among ours');
    expect(() => openSealedText(after, sealed.subarray(0, 20), 'po_1')).toThrow('truncated');
    for (const at of [0, 5, 20, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => openSealedText(after, changed, 'po_1'), `byte ${at}`).toThrow();
    }
  });
});
