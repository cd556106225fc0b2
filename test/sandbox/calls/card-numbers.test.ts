import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskCardNumbers } from '#sandbox/calls/card-numbers.js';
import { Redaction } from '#sandbox/calls/redaction.js';

const none = new Redaction([]);

describe('card numbers in the stored record of a call', () => {
  it('are never stored, whether in one piece, in groups, as a number or encoded', () => {
    const gap = fc.constantFrom('', ' ', '-', '.', '/', ',', '_', '\t', '  ', '\u2013', ' - ', ', ');
    const before = fc.constantFrom('', 'x', 'PAN', '_', 'card:', '12 ', '7, ');
    const after = fc.constantFrom('', 'x', '_', ' 12/30', ', 7', '#');
    fc.assert(
      fc.property(cardNumber(), gap, before, after, fc.lorem(), (digits, gap, before, after, words) => {
        const grouped = digits.match(/.{1,4}/g)!.join(gap);
        const stored = JSON.stringify([
          none.json({
            note: `${words} 12 ${grouped}, ${words}`,
            other: `${before}${grouped}${after}`,
            [grouped]: Number(digits),
            a: [`x${digits}y`],
          }),
          none.headers({ 'x-note': `pay with ${grouped}` }),
          none.query(`q=${encodeURIComponent(grouped)}&r=${grouped.replaceAll(' ', '+')}&${digits}=1`),
          none.path(`/v1/${encodeURIComponent(grouped)}`),
        ]);
        expect(stored.replaceAll(/[^\d]/g, '')).not.toContain(digits);
        for (const form of [digits, grouped, encodeURIComponent(grouped)]) expect(stored).not.toContain(form);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found in one piece exactly where trying every part of the digits finds one', () => {
    const digits = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
      .map((signs) => signs.join(''));
    fc.assert(
      fc.property(digits, (run) => {
        expect(maskCardNumbers(run)).toBe(hasCardByTrial(run) ? '[card number]' : run);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are searched in runs of digits of any length, and all other digits stay', () => {
    for (const sign of '0123456789') {
      const run = sign.repeat(100_000);
      expect([run, '[card number]']).toContain(maskCardNumbers(run));
      expect(maskCardNumbers(`${sign} `.repeat(50_000)).length).toBeGreaterThan(0);
      expect(maskCardNumbers(`${sign}   `.repeat(11)).length).toBe(44);
    }
    for (const open of [
      '1732199460000',
      '2026-11-21T14:30:00.123Z',
      'a0193e5f2-4111-7111-8111-111111111111',
      '10.0.0.17, 192.168.1.20',
      '2026/11/21-000123-4567',
      'WH-8X7W2J8K4N9P0Q1R2-8X7W2J8K4N9P0Q1R2',
    ])
      expect(maskCardNumbers(open)).toBe(open);
  });
});

/** Numbers that a card could have: a network's first digits, any others, the check digit. */
function cardNumber(): fc.Arbitrary<string> {
  const long = fc.tuple(fc.constantFrom('4', '51', '37', '60', '22'), fc.integer({ min: 13, max: 19 }));
  const short = fc.tuple(fc.constantFrom('50', '56', '63'), fc.constant(12));
  return fc
    .tuple(fc.oneof(long, short), fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 18, maxLength: 18 }))
    .map(([[prefix, length], digits]) => {
      const payload = (prefix + digits.join('')).slice(0, length - 1);
      return payload + String((10 - (luhnSum(`${payload}0`) % 10)) % 10);
    });
}

function hasCardByTrial(run: string): boolean {
  for (let start = 0; start < run.length; start += 1)
    for (let length = 12; length <= 19 && start + length <= run.length; length += 1) {
      const part = run.slice(start, start + length);
      const beginsAsCard = length === 12 ? /^[56]/.test(part) : /^([3-6]|2[2-7])/.test(part);
      if (beginsAsCard && luhnSum(part) % 10 === 0) return true;
    }
  return false;
}

function luhnSum(digits: string): number {
  let sum = 0;
  digits
    .split('')
    .toReversed()
    .forEach((sign, place) => {
      const value = Number(sign) * (place % 2 === 0 ? 1 : 2);
      sum += value > 9 ? value - 9 : value;
    });
  return sum;
}
