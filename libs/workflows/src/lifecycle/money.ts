/**
 * Money is an integer count of the currency's smallest unit. It is a decimal string only at the wire, and
 * never a float: 0.1 + 0.2 is not a price.
 */
export interface Money {
  /** Count of minor units: cents for USD, yen for JPY, fils for KWD. A non-negative safe integer. */
  readonly minor: number;
  /** ISO 4217 alphabetic code, upper case. */
  readonly currency: string;
}

/** ISO 4217 exponents that are not 2. */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0,
  VUV: 0, XAF: 0, XOF: 0, XPF: 0,
  BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3,
  CLF: 4, UYW: 4,
}; // prettier-ignore

/** Raised for text that is not an amount of its currency; `problem` is safe to show to the caller. */
export class InvalidAmountError extends Error {
  override readonly name = 'InvalidAmountError';
}

export function exponentOf(currency: string): number {
  return exponents[currency] ?? 2;
}

/**
 * Reads a decimal string ("10", "10.6", "10.60") into minor units. Trailing zeros may exceed or fall short of
 * the currency's exponent, because providers reformat amounts; digits that carry value may not.
 *
 * @throws {InvalidAmountError} when the text is not a plain decimal, has too many decimals, or is too large.
 */
export function parseMoney(text: string, currency: string): Money {
  if (!/^[A-Z]{3}$/.test(currency)) throw new InvalidAmountError('currency must be a three-letter code');
  const match = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(text);
  if (!match) throw new InvalidAmountError('must be a decimal number such as "10.00"');
  const exponent = exponentOf(currency);
  const fraction = (match[2] ?? '').replace(/0+$/, '');
  if (fraction.length > exponent) {
    throw new InvalidAmountError(`${currency} has ${exponent === 0 ? 'no' : String(exponent)} decimals`);
  }
  const minor = Number((match[1] ?? '') + fraction.padEnd(exponent, '0'));
  if (!Number.isSafeInteger(minor)) throw new InvalidAmountError('is too large');
  return { minor, currency };
}

/** Writes an amount with exactly the currency's decimals: 1060 USD is "10.60", 1060 JPY is "1060". */
export function formatMoney({ minor, currency }: Money): string {
  const exponent = exponentOf(currency);
  if (exponent === 0) return String(minor);
  const digits = String(minor).padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** An amount as a sentence names it: "10.60 USD". */
export function moneyText(money: Money): string {
  return `${formatMoney(money)} ${money.currency}`;
}
