import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidAmountError, exponentOf, formatMoney, parseMoney } from '#workflows/lifecycle/money.js';

/** Case 30 of the failure list: amounts are exact in every currency, however the provider writes them. */

const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KRW', 'KWD', 'TND', 'CLF');

describe('reading an amount', () => {
  it.each([
    ['10', 'USD', 1000],
    ['10.6', 'USD', 1060],
    ['10.60', 'USD', 1060],
    ['10.600', 'USD', 1060],
    ['0.01', 'USD', 1],
    ['0', 'USD', 0],
    ['0.00', 'USD', 0],
    ['007.50', 'USD', 750],
    ['1060', 'JPY', 1060],
    ['1060.00', 'JPY', 1060],
    ['1.5', 'KWD', 1500],
    ['1.234', 'KWD', 1234],
    ['0.0001', 'CLF', 1],
    ['90071992547409.91', 'USD', Number.MAX_SAFE_INTEGER],
  ])('reads %s %s as %i minor units', (text, code, minor) => {
    expect(parseMoney(text, code)).toEqual({ minor, currency: code });
  });

  it.each([
    ['10.001', 'USD', 'USD has 2 decimals'],
    ['10.005', 'USD', 'USD has 2 decimals'],
    ['1060.5', 'JPY', 'JPY has no decimals'],
    ['1.2345', 'KWD', 'KWD has 3 decimals'],
  ])('does not round %s %s', (text, code, problem) => {
    expect(() => parseMoney(text, code)).toThrow(new InvalidAmountError(problem));
  });

  it.each(['90071992547409.92', '9007199254740992', '999999999999999'])(
    'refuses %s USD as too large',
    (text) => {
      expect(() => parseMoney(text, 'USD')).toThrow(InvalidAmountError);
    },
  );

  it.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e3',
    '.5',
    '5.',
    '1,000.00',
    '1.000,00',
    ' 1',
    '1 ',
    '1\n',
    '0x10',
    'NaN',
    'Infinity',
    '١',
  ])('refuses %j', (text) => {
    expect(() => parseMoney(text, 'USD')).toThrow(InvalidAmountError);
  });

  it.each(['usd', 'US', 'USDT', '', 'U$D', '840', 'USD\n'])('refuses the currency %j', (code) => {
    expect(() => parseMoney('1', code)).toThrow(InvalidAmountError);
  });

  it('shows only the currency of refused amounts, and only text that may be shown', () => {
    expect(() => parseMoney('secret', 'USD')).toThrow(/^must be a decimal number such as "10.00"$/);
  });
});

describe('writing an amount', () => {
  it.each([
    [1060, 'USD', '10.60'],
    [5, 'USD', '0.05'],
    [0, 'USD', '0.00'],
    [1060, 'JPY', '1060'],
    [0, 'JPY', '0'],
    [1, 'KWD', '0.001'],
    [1500, 'KWD', '1.500'],
    [Number.MAX_SAFE_INTEGER, 'USD', '90071992547409.91'],
  ])('writes %i minor units of %s as %s', (minor, code, text) => {
    expect(formatMoney({ minor, currency: code })).toBe(text);
  });

  it('is read back as the same amount, whatever the currency', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), currency, (minor, code) => {
        const money = { minor, currency: code };
        // The whole part may have 15 digits at most: beyond that an amount is refused, never changed.
        fc.pre(exponentOf(code) > 0 || minor < 1e15);
        expect(parseMoney(formatMoney(money), code)).toEqual(money);
      }),
    );
  });

  it('is read back as the same amount when the provider has dropped trailing zeros', () => {
    fc.assert(
      fc.property(fc.nat(), currency, (minor, code) => {
        const text = formatMoney({ minor, currency: code });
        const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
        expect(parseMoney(short, code).minor).toBe(minor);
      }),
    );
  });
});
