import { describe, expect, it } from 'vitest';
import { browserCookieSeconds, failureCounter, newBrowserProof } from '#api/sign-in/known-browser.js';

const otto = { name: 'otto', password: 'scrypt$32768$8$3$a-salt$a-key' };
const signedInAt = Date.parse('2027-03-01T12:00:00Z');
const proof = newBrowserProof(otto, signedInAt);
const ofName = failureCounter(otto, undefined, signedInAt);

describe('the failures of a browser', () => {
  it('count for itself until 30 days after its sign-in', () => {
    const end = signedInAt + browserCookieSeconds * 1_000;
    expect(failureCounter(otto, proof, signedInAt)).not.toBe(ofName);
    expect(failureCounter(otto, proof, end - 1)).toBe(failureCounter(otto, proof, signedInAt));
    expect(failureCounter(otto, proof, end)).toBe(ofName);
  });

  it('count apart from those of another browser of the same user', () => {
    const another = newBrowserProof(otto, signedInAt);
    expect(failureCounter(otto, another, signedInAt)).not.toBe(failureCounter(otto, proof, signedInAt));
  });

  it.each([
    ['another name', { ...otto, name: 'olga' }],
    ['another password', { ...otto, password: 'scrypt$32768$8$3$b-salt$b-key' }],
  ])('count for the name with the proof of %s', (_, another) => {
    const ofAnother = newBrowserProof(another, signedInAt);
    expect(failureCounter(otto, ofAnother, signedInAt)).toBe(ofName);
  });

  it.each([
    ['nothing', ''],
    ['a longer life', proof.replace(/^\d+/, (instant) => `${Number(instant) + 1}`)],
    ['another random part', proof.replace(/\.[\w-]{22}\./, `.${'A'.repeat(22)}.`)],
    ['another seal', proof.replace(/[\w-]{43}$/, 'A'.repeat(43))],
    ['no seal', proof.replace(/\.[\w-]{43}$/, '.')],
    ['something behind it', `${proof}A`],
  ])('count for the name with a proof that has %s', (_, forged) => {
    expect(failureCounter(otto, forged, signedInAt)).toBe(ofName);
  });

  it('show nobody’s name', () => {
    expect(proof).not.toContain('otto');
    expect(failureCounter(otto, proof, signedInAt)).toMatch(/^[0-9a-f]{4}\/[0-9a-f]{4}$/);
  });
});
