import type { AuthorizationRow } from '../database/tables.js';
import { currencyExponent } from '../money/currencies.js';
import { openMinor, type Holding, type Refused } from './held-money.js';

/** The facts that decide whether an authorization can be reauthorized, in minor units. */
export type Reauthorizable = Holding &
  Pick<AuthorizationRow, 'currency' | 'renewals' | 'parent_id' | 'honored_until'>;

interface ReauthorizationTerms {
  minor: number;
  /** The first authorized amount, whatever ids have followed. */
  originalMinor: number;
  /** Captured or pending under earlier ids of the same authorization. */
  spentEarlierMinor: number;
  times: 'once' | 'many';
  /** Another authorization has replaced it already. */
  hasSuccessor: boolean;
}

/**
 * Whether the remaining funds may be reauthorized: after the honour period and before the 29 days are over, and together
 * with what was captured never more than 115 % of the original amount, nor 75 USD above it.
 */
export function refusalToReauthorize(
  authorization: Reauthorizable,
  terms: ReauthorizationTerms,
  now: Date,
): Refused | null {
  const refusal = refusalOfState(authorization, terms, now);
  if (refusal !== null) return { refusal };
  if (now < authorization.honored_until) return { refusal: 'REAUTHORIZATION_TOO_SOON' };
  const spentMinor = terms.spentEarlierMinor + authorization.captured_minor + authorization.pending_minor;
  const mostMinor = mostReauthorizable(terms.originalMinor, authorization.currency);
  if (spentMinor + terms.minor > mostMinor) return { refusal: 'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED' };
  // Amounts that are reauthorized under one id add up, and the books count in safe integers.
  if (authorization.amount_minor + terms.minor > Number.MAX_SAFE_INTEGER) {
    return { refusal: 'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED' };
  }
  return null;
}

function refusalOfState(
  authorization: Reauthorizable,
  terms: ReauthorizationTerms,
  now: Date,
): Refused['refusal'] | null {
  const { state } = authorization;
  if (terms.hasSuccessor) return 'TOO_MANY_REAUTHORIZATIONS';
  if (state === 'pending' || state === 'denied') return 'PAYMENT_STATE_INVALID';
  if (state === 'voided') return 'AUTHORIZATION_VOIDED';
  if (state === 'expired' || (state !== 'captured' && authorization.valid_until <= now)) {
    return 'AUTHORIZATION_EXPIRED';
  }
  if (state === 'captured' || authorization.closing || openMinor(authorization) === 0) {
    return 'AUTHORIZATION_ALREADY_COMPLETED';
  }
  if (terms.times === 'many') return null;
  if (authorization.parent_id !== null) return 'CANNOT_REAUTH_CHILD_AUTHORIZATION';
  return authorization.renewals > 0 ? 'TOO_MANY_REAUTHORIZATIONS' : null;
}

/** The largest sum of all holds and captures of the authorization, in minor units. */
export function mostReauthorizable(originalMinor: number, currency: string): number {
  const byShare = Number((BigInt(originalMinor) * 115n) / 100n);
  const raise = raiseLimitMinor(currency);
  return raise === undefined ? byShare : Math.min(byShare, originalMinor + raise);
}

/** How many units of a currency 100 USD are worth, roughly and fixed: a limit needs no exchange rates. */
const PER_100_USD: Readonly<Record<string, number>> = {
  AED: 367,
  AUD: 153,
  BHD: 38,
  BRL: 540,
  CAD: 137,
  CHF: 85,
  CLP: 94_000,
  CNY: 720,
  CZK: 2_270,
  DKK: 680,
  EUR: 91,
  GBP: 77,
  HKD: 780,
  HUF: 36_000,
  IDR: 1_580_000,
  ILS: 370,
  INR: 8_400,
  ISK: 13_700,
  JOD: 71,
  JPY: 15_000,
  KRW: 137_000,
  KWD: 31,
  MXN: 1_950,
  MYR: 440,
  NOK: 1_070,
  NZD: 165,
  OMR: 38,
  PHP: 5_750,
  PLN: 390,
  RUB: 9_500,
  SAR: 375,
  SEK: 1_040,
  SGD: 132,
  THB: 3_400,
  TND: 310,
  TRY: 3_400,
  TWD: 3_200,
  UGX: 370_000,
  USD: 100,
  VND: 2_500_000,
  ZAR: 1_780,
};

/** 75 USD in minor units of the currency; undefined when no rate is known: then 115 % alone is the limit. */
function raiseLimitMinor(currency: string): number | undefined {
  const rate = PER_100_USD[currency];
  if (rate === undefined) return undefined;
  return Math.floor((rate * 75 * 10 ** (currencyExponent(currency) ?? 2)) / 100);
}
