/** An amount as it stands on the wire: a decimal string in units of an ISO 4217 currency ("10.60", "USD"). */
export interface Amount {
  readonly value: string;
  readonly currency: string;
}

/** Minor-unit digits by ISO 4217, where they are not 2. */
const EXPONENTS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, currencies]) =>
    currencies.split(' ').map((currency) => [currency, Number(digits)] as const),
  ),
);

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

const DECIMAL = /^(-?)(\d{1,18})(?:\.(\d{1,8}))?$/;

/**
 * The amount in minor units (cents; yen; fils), exactly.
 * @throws RangeError for an unknown currency, or digits that the currency does not have.
 */
export function toMinorUnits({ value, currency }: Amount): bigint {
  const exponent = exponentOf(currency);
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(value) ?? refuse('not a decimal amount');
  // "10.600" is 10.60: zeros beyond the exponent say nothing, any other digit there would be rounded away.
  if (/[1-9]/.test(fraction.slice(exponent))) refuse(`more decimals than ${currency} has`);
  return BigInt(sign + whole + fraction.slice(0, exponent).padEnd(exponent, '0'));
}

/** The wire form with exactly the currency's decimals: (1060n, "USD") is "10.60", (1060n, "JPY") is "1060". */
export function fromMinorUnits(minorUnits: bigint, currency: string): Amount {
  const exponent = exponentOf(currency);
  const digits = (minorUnits < 0n ? -minorUnits : minorUnits).toString().padStart(exponent + 1, '0');
  const split = digits.length - exponent;
  const value = exponent === 0 ? digits : `${digits.slice(0, split)}.${digits.slice(split)}`;
  return { value: minorUnits < 0n ? `-${value}` : value, currency };
}

/** Equality of money, not of text: the provider gives "10.60" back as "10.6". False where either is no money. */
export function isSameAmount(one: Amount, other: Amount): boolean {
  if (one.currency !== other.currency) return false;
  try {
    return toMinorUnits(one) === toMinorUnits(other);
  } catch {
    return false;
  }
}

function exponentOf(currency: string): number {
  return EXPONENTS.get(currency) ?? (CURRENCIES.has(currency) ? 2 : refuse('not an ISO 4217 currency'));
}

function refuse(reason: string): never {
  throw new RangeError(reason);
}
