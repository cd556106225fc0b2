import { z } from 'zod';
import { InvalidAmountError, type Money, formatMoney, parseMoney } from '#workflows/lifecycle';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** The document has all codes, as a pattern: a client with a type for each would refuse those of tomorrow. */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'must be a three-letter ISO 4217 code', abort: true })
  .refine((code) => currencies.has(code), 'is not a currency of ISO 4217')
  .meta({
    id: 'CurrencyCode',
    description: 'ISO 4217 code.',
    pattern: `^(${[...currencies].join('|')})$`,
    examples: ['USD'],
  });

/** For the OpenAPI document; what an amount of its currency is, the parser knows. */
export const decimal = '^[0-9]{1,10}(\\.[0-9]{1,10})?$';
/** The same above zero. */
export const decimalAboveZero = decimal.replace('^', '^(?=.*[1-9])');

/** The provider's limit for the characters of an amount, with all decimals of its currency. */
export const longestAmount = 10;

/** An amount in a request: above zero, parsed to minor units of its currency. */
export const requestedMoney = moneyThat(problemOf, decimalAboveZero);

/** What is to stay outstanding, in a request: like an amount, but it may be zero. */
export const requestedBalance = moneyThat(problemOfLength, decimal);

function moneyThat(problemIn: (money: Money) => string | undefined, pattern: string) {
  return z
    .strictObject({
      value: z.string().meta({
        description: 'Decimal string with the decimals of the currency.',
        pattern,
        examples: ['10.00'],
      }),
      currency: currencyCode,
    })
    .transform(({ value, currency }, context): Money => {
      try {
        const money = parseMoney(value, currency);
        const problem = problemIn(money);
        if (problem === undefined) return money;
        context.addIssue({ code: 'custom', path: ['value'], message: problem });
      } catch (error) {
        if (!(error instanceof InvalidAmountError)) throw error;
        context.addIssue({ code: 'custom', path: ['value'], message: error.message });
      }
      return z.NEVER;
    });
}

function problemOf(money: Money): string | undefined {
  return money.minor === 0 ? 'must be above zero' : problemOfLength(money);
}

/** The reason why the provider would refuse an amount, found before the call. */
function problemOfLength(money: Money, longest = longestAmount): string | undefined {
  if (formatMoney(money).length <= longest) return undefined;
  return `must have at most ${longest} characters, with all decimals of ${money.currency}`;
}

/**
 * Reads an amount of a request whose currency is another field; zero is one, too.
 *
 * @param longest the number of characters that the provider takes of it.
 * @returns minor units; NaN if it is none, so that no further rule reports the same field.
 */
export function minorIn(
  currency: string,
  value: string,
  path: readonly string[],
  context: z.core.$RefinementCtx,
  longest = longestAmount,
): number {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', path: [...path], message });
    return Number.NaN;
  };
  try {
    const money = parseMoney(value, currency);
    const problem = problemOfLength(money, longest);
    return problem === undefined ? money.minor : refuse(problem);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    return refuse(error.message);
  }
}

/** An amount in a query, whose currency is another parameter. */
const amountOf = z
  .string()
  .max(20)
  .meta({ pattern: decimal, examples: ['10.00'] });

/** The filters of a list by amount, in the query's schema, whose transform is `withAmounts`. */
export const amountFilters = {
  currency: currencyCode.optional().meta({ description: 'Only amounts in this currency.' }),
  minAmount: amountOf.optional().meta({ description: 'Only this amount or more, in `currency`.' }),
  maxAmount: amountOf.optional().meta({ description: 'Only this amount or less, in `currency`.' }),
};

interface AskedAmounts {
  readonly currency?: string | undefined;
  readonly minAmount?: string | undefined;
  readonly maxAmount?: string | undefined;
}

/** @returns the query with its amounts in minor units. */
export function withAmounts<Query extends AskedAmounts>(query: Query, context: z.core.$RefinementCtx) {
  const read = (name: 'minAmount' | 'maxAmount') => amountIn(query.currency, query[name], name, context);
  return { ...query, minAmount: read('minAmount'), maxAmount: read('maxAmount') };
}

function amountIn(
  currency: string | undefined,
  value: string | undefined,
  name: string,
  context: z.core.$RefinementCtx,
): Money | undefined {
  if (value === undefined) return undefined;
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', path: [name], message });
    return undefined;
  };
  if (currency === undefined) return refuse('needs `currency`');
  try {
    return parseMoney(value, currency);
  } catch (error) {
    if (!(error instanceof InvalidAmountError)) throw error;
    return refuse(error.message);
  }
}

/** An amount in an answer. */
export const shownMoney = z
  .object({
    value: z.string().meta({ examples: ['10.00'] }),
    currency: z.string().meta({ examples: ['USD'] }),
  })
  .meta({ id: 'Money' });

export function showMoney(minor: number, currency: string): z.output<typeof shownMoney> {
  return { value: formatMoney({ minor, currency }), currency };
}
