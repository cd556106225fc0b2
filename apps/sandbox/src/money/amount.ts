import { currencyExponent } from './currencies.js';

/** Minor units are whole numbers far below 2^53: the interface allows ten characters for an amount. */
const AMOUNT = /^(\d{1,10})(?:\.(\d{1,3}))?$/;
const LONGEST_AMOUNT = 10;

export type AmountReading = { minor: number } | { issue: string };

/**
 * Reads a decimal string ("10.60", "10.6", "1000" for JPY) as whole minor units, without floating point.
 * An amount that has more decimals than its currency is refused and never rounded.
 */
export function readAmount(text: string, currency: string): AmountReading {
  const exponent = currencyExponent(currency);
  if (exponent === undefined) return { issue: 'Currency is not supported' };
  const parts = AMOUNT.exec(text);
  if (parts === null || text.length > LONGEST_AMOUNT)
    return { issue: 'Must be a decimal number like 10.00, without a sign, of at most 10 characters' };
  const [, whole = '', decimals = ''] = parts;
  if (decimals.length > exponent) return { issue: `${currency} has ${exponent} decimal places` };
  return { minor: Number(whole + decimals.padEnd(exponent, '0')) };
}

/** Writes minor units with all decimals of the currency: 1060 USD is "10.60", 1060 JPY is "1060". */
export function writeAmount(minor: number, currency: string): string {
  const exponent = currencyExponent(currency) ?? 2;
  if (exponent === 0) return String(minor);
  const digits = String(minor).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** As `writeAmount`, for discounts too. */
export function writeSigned(minor: number, currency: string): string {
  return minor < 0 ? `-${writeAmount(-minor, currency)}` : writeAmount(minor, currency);
}

/** Orders two plain decimal strings by value whatever their number of decimals; negative, zero or positive. */
export function compareDecimals(left: string, right: string): number {
  return scaled(left) - scaled(right);
}

function scaled(decimal: string): number {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return Number(whole + fraction.padEnd(3, '0'));
}
