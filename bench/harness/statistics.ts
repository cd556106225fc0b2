/** A figure with its spread over the rounds of one run. */
export interface Measured {
  readonly value: number;
  readonly spread: readonly [min: number, max: number];
}

/** @throws RangeError for an empty list */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new RangeError('no value has no median');
  return (lower + upper) / 2;
}

/**
 * The least value that so many of them do not exceed.
 *
 * @param share from 0 to 1.
 * @throws RangeError for an empty list
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('no value has no percentile');
  return found;
}

export function measured(values: readonly number[]): Measured {
  return { value: median(values), spread: [Math.min(...values), Math.max(...values)] };
}

/** The median of the quotients, round by round: what slows a whole round down slows both sides of its quotient. */
export function measuredRatio(numerators: readonly number[], denominators: readonly number[]): Measured {
  return measured(numerators.map((numerator, round) => numerator / (denominators[round] ?? Number.NaN)));
}

export function rounded({ value, spread }: Measured, digits = 2): Measured {
  const round = (figure: number): number => Number(figure.toFixed(digits));
  return { value: round(value), spread: [round(spread[0]), round(spread[1])] };
}
