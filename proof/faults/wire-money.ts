import type { Random } from './random.js';

/** A currency with its number of decimals (ISO 4217). */
export interface Currency {
  readonly currency: string;
  readonly exponent: number;
}

const currencies: readonly Currency[] = [
  { currency: 'USD', exponent: 2 },
  { currency: 'EUR', exponent: 2 },
  { currency: 'JPY', exponent: 0 },
  { currency: 'KWD', exponent: 3 },
];

export function drawCurrency(random: Random): Currency {
  return random.pick(currencies);
}

/** An amount as the engine takes it. */
export function amountOf(
  minor: number,
  { currency, exponent }: Currency,
): { value: string; currency: string } {
  return { value: decimal(minor, exponent), currency };
}

/** Minor units of a decimal string that the engine gave; NaN unless it has exactly the currency's decimals. */
export function minorOf(value: string, exponent: number): number {
  const [whole = '', fraction = ''] = value.split('.');
  return fraction.length === exponent && /^\d+$/.test(whole + fraction)
    ? Number(whole + fraction)
    : Number.NaN;
}

function decimal(minor: number, exponent: number): string {
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
