/** One wrong value in one row; `where` and `value` are SQL, with ids of legal-books.ts by their names in braces. */
export interface Corruption {
  name: string;
  /** The rule that must tell of it. */
  rule: string;
  table: string;
  column: string;
  value: string;
  where: string;
}

type Row = readonly [name: string, column: `${string}.${string}`, value: string, where: string];

export function corruptionsOf(rule: string, rows: readonly Row[]): Corruption[] {
  return rows.map(([name, at, value, where]) => {
    const [table = '', column = ''] = at.split('.');
    return { name, rule, table, column, value, where };
  });
}
