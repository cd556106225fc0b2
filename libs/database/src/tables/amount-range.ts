import { type RawBuilder, sql } from 'kysely';

/** In minor units, both included. */
export interface AmountRange {
  readonly currency: string;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** @param its where the rows have their amount, in the words of an index. */
export function isInRange(
  { currency, least, most }: AmountRange,
  its: { readonly currency: RawBuilder<unknown>; readonly minor: RawBuilder<unknown> },
): RawBuilder<boolean> {
  const conditions = [
    sql`${its.currency} = ${currency}`,
    least === undefined ? undefined : sql`${its.minor} >= ${least}`,
    most === undefined ? undefined : sql`${its.minor} <= ${most}`,
  ];
  return sql<boolean>`(${sql.join(
    conditions.filter((each) => each !== undefined),
    sql` and `,
  )})`;
}
