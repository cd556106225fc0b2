import type { Random } from '../random.js';

/** What the order service makes of the hold. */
export type Ending =
  | 'capture'
  | 'capture in two parts'
  | 'capture a part and release the rest'
  | 'capture a part and void the rest'
  | 'capture by policy'
  | 'void'
  | 'capture and void at once'
  | 'keep the hold'
  | 'cancel';

export type Approval =
  | 'at once'
  | 'by the payer'
  /** Who closes the tab: the engine must find out by itself. */
  | 'by a payer who never returns'
  | 'by a payer who returns thrice';

export interface AuthorizePlan {
  readonly orderId: string;
  /** Minor units of a currency that has `exponent` decimals. */
  readonly minor: number;
  readonly currency: string;
  readonly exponent: number;
  readonly approval: Approval;
  readonly ending: Ending;
  /** Of the first of two parts, in minor units. */
  readonly part: number;
  /** How long the order service, or the payer, thinks before each step. */
  readonly thinkMs: number;
  /** The order service repeats what was done already: a double click, a replayed queue. */
  readonly repeatsWhatIsDone: boolean;
}

/** Payments to this account are approved at once. */
export const approvedAtOncePayee = 'at-once@payee.example';

const currencies = [
  { currency: 'USD', exponent: 2 },
  { currency: 'EUR', exponent: 2 },
  { currency: 'JPY', exponent: 0 },
  { currency: 'KWD', exponent: 3 },
];

const endings: readonly (readonly [Ending, number])[] = [
  ['capture', 30],
  ['capture in two parts', 16],
  ['capture a part and release the rest', 6],
  ['capture a part and void the rest', 6],
  ['capture by policy', 14],
  ['void', 14],
  ['capture and void at once', 6],
  ['keep the hold', 4],
  ['cancel', 4],
];

const approvals: readonly (readonly [Approval, number])[] = [
  ['by the payer', 60],
  ['at once', 20],
  ['by a payer who never returns', 10],
  ['by a payer who returns thrice', 10],
];

export function drawAuthorizePlan(random: Random, orderId: string): AuthorizePlan {
  const ending = random.weighted(endings);
  const minor = 5 * random.integer(2, 20_000);
  return {
    orderId,
    minor,
    part: (minor / 5) * 2,
    ...random.pick(currencies),
    ending,
    approval: ending === 'cancel' ? 'by the payer' : random.weighted(approvals),
    thinkMs: random.integer(0, 600),
    repeatsWhatIsDone: random.chance(0.25),
  };
}

/** A decimal string as the engine takes it. */
export function decimal(minor: number, exponent: number): string {
  const digits = String(minor).padStart(exponent + 1, '0');
  return exponent === 0 ? digits : `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Minor units of a decimal string that the engine gave; NaN unless it has exactly the currency's decimals. */
export function minorOf(value: string, exponent: number): number {
  const [whole = '', fraction = ''] = value.split('.');
  return fraction.length === exponent && /^\d+$/.test(whole + fraction)
    ? Number(whole + fraction)
    : Number.NaN;
}
