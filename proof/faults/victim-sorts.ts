/** From the bottom to the top: each stands on those before it. */
export const victimSorts = [
  'engine-postgres',
  'sandbox-postgres',
  'temporal-postgres',
  'temporal',
  'sandbox',
  'api',
  'worker',
] as const;
export type VictimSort = (typeof victimSorts)[number];

/** What a kill is counted under: the three clusters of PostgreSQL are one kind of process. */
export function processNameOf(sort: VictimSort): string {
  return sort.endsWith('-postgres') ? 'postgres' : sort;
}
