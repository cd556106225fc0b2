/** From the bottom to the top: each stands on those before it. */
export const victimKinds = [
  'engine-postgres',
  'sandbox-postgres',
  'temporal-postgres',
  'temporal',
  'sandbox',
  'api',
  'worker',
] as const;
export type VictimKind = (typeof victimKinds)[number];

/** What a kill is counted under: the three clusters of PostgreSQL are one kind of process. */
export function processNameOf(kind: VictimKind): string {
  return kind.endsWith('-postgres') ? 'postgres' : kind;
}
