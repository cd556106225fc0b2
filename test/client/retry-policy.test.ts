import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromMinorUnits, isSameAmount, toMinorUnits } from '#payments-client';
import { DEFAULT_RETRY, parseRetryAfter, retryDelayMs } from '#payments-client/transport/retry.js';

describe('the wait before another attempt', () => {
  it('stays under a ceiling that doubles, and under the maximum', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delay = retryDelayMs(DEFAULT_RETRY, attempt, undefined, random);
          expect(delay).toBeGreaterThanOrEqual(0);
          expect(delay).toBeLessThan(
            Math.min(DEFAULT_RETRY.maxDelayMs, DEFAULT_RETRY.baseDelayMs * 2 ** (attempt - 1)),
          );
        },
      ),
    );
  });

  it('is spread over the whole range, from zero on', () => {
    expect(retryDelayMs(DEFAULT_RETRY, 1, undefined, 0)).toBe(0);
    expect(retryDelayMs(DEFAULT_RETRY, 3, undefined, 0.5)).toBe(400);
  });

  it('is never shorter than the provider asked for', () => {
    expect(retryDelayMs(DEFAULT_RETRY, 1, 60_000, 0)).toBe(60_000);
  });

  it.each([
    ['2', 2_000],
    [' 0 ', 0],
    ['Wed, 21 Oct 2015 07:28:10 GMT', 10_000],
    ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
    ['-3', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads Retry-After %j as %j ms', (header, expected) => {
    expect(parseRetryAfter(header, Date.parse('2015-10-21T07:28:00Z'))).toBe(expected);
  });
});

describe('money', () => {
  it.each([
    ['10.60', 'USD', 1060n],
    ['10.6', 'USD', 1060n],
    ['10.600', 'USD', 1060n],
    ['-0.05', 'USD', -5n],
    ['1060', 'JPY', 1060n],
    ['1060.00', 'JPY', 1060n],
    ['1.234', 'KWD', 1234n],
    ['999999999999999.99', 'EUR', 99999999999999999n],
  ])('%s %s is %d minor units, exactly', (value, currency, minorUnits) => {
    expect(toMinorUnits({ value, currency })).toBe(minorUnits);
  });

  it.each([
    ['10.601', 'USD'],
    ['0.5', 'JPY'],
    ['1,00', 'USD'],
    ['', 'USD'],
    ['1.', 'USD'],
    ['NaN', 'USD'],
    ['1.00', 'XYZ'],
    ['1.00', '__proto__'],
  ])('%j %s is no amount', (value, currency) => {
    expect(() => toMinorUnits({ value, currency })).toThrow(RangeError);
  });

  it('is unchanged after it was sent and read back', () => {
    const currency = fc.constantFrom('USD', 'JPY', 'KWD', 'CLF');
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), currency, (minorUnits, code) => {
        expect(toMinorUnits(fromMinorUnits(minorUnits, code))).toBe(minorUnits);
      }),
    );
  });

  it('is compared as money, not as text', () => {
    const ten = { value: '10.60', currency: 'USD' };
    expect(isSameAmount(ten, { value: '10.6', currency: 'USD' })).toBe(true);
    expect(isSameAmount(ten, { value: '10.61', currency: 'USD' })).toBe(false);
    expect(isSameAmount(ten, { value: '10.60', currency: 'EUR' })).toBe(false);
    expect(isSameAmount(ten, { value: 'much', currency: 'USD' })).toBe(false);
  });
});
