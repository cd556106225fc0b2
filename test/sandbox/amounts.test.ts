import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareDecimals, readAmount, writeAmount } from '#sandbox/money/amount.js';

describe('amounts', () => {
  it.each([
    ['10', 'USD', 1000],
    ['10.6', 'USD', 1060],
    ['10.60', 'USD', 1060],
    ['0.01', 'EUR', 1],
    ['1000', 'JPY', 1000],
    ['1.234', 'KWD', 1234],
  ])('reads %s %s as %i minor units', (text, currency, minor) => {
    expect(readAmount(text, currency)).toEqual({ minor });
  });

  it.each([
    ['10.601', 'USD'],
    ['10.0', 'JPY'],
    ['1.2345', 'KWD'],
    ['-1.00', 'USD'],
    ['1e3', 'USD'],
    ['1,00', 'USD'],
    ['', 'USD'],
    [' 1', 'USD'],
    ['.5', 'USD'],
    ['5.', 'USD'],
    ['12345678901', 'JPY'],
    ['1.00', 'XXX'],
  ])('refuses %s %s', (text, currency) => {
    expect(readAmount(text, currency)).toHaveProperty('issue');
  });

  it('reads back exactly what it writes, in every kind of currency', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom('USD', 'JPY', 'KWD'),
        (minor, currency) => {
          const text = writeAmount(minor, currency);
          if (text.length <= 10) expect(readAmount(text, currency)).toEqual({ minor });
        },
      ),
    );
  });

  it('compares decimals by value', () => {
    expect(compareDecimals('10.6', '10.60')).toBe(0);
    expect(compareDecimals('9.99', '10')).toBeLessThan(0);
    expect(compareDecimals('100', '99.999')).toBeGreaterThan(0);
  });
});
