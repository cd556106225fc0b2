import type { Client } from 'pg';
import type { ModelTable } from './models.js';

/** The rows of a payment's subject that are copied; of the rest, every thousandth payment has all. */
type Share = 'first' | 'firstTwo' | 'oneOf';
const shares: Readonly<Record<Share, string>> = {
  first: 'm.nth <= 1',
  firstTwo: 'm.nth <= 2',
  oneOf: 'm.nth = 1 + copy.n % m.of_subject',
};

/** Expressions by column; every other column is the model's. */
export type Columns = Readonly<Record<string, string>>;

/** Writes rows of the engine as copies of models' rows. */
export class RowCopier {
  constructor(private readonly client: Client) {}

  /** @param from names the model's row `m`. */
  async insert(table: ModelTable, from: string, columns: Columns): Promise<void> {
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public'
        AND table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO' ORDER BY ordinal_position`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    await this.client.query(
      `INSERT INTO public.${table} (${names.join(', ')})
       SELECT ${names.map((name) => columns[name] ?? `m.${name}`).join(', ')} FROM ${from}`,
    );
  }

  async run(statement: string): Promise<void> {
    await this.client.query(statement);
  }

  /** The rows of payments, a share of each one's. */
  async insertParts(table: ModelTable, share: Share, columns: Columns, copies = 'model.copy'): Promise<void> {
    const from = `${copies} AS copy JOIN (SELECT *, row_number() OVER (PARTITION BY subject_id) AS nth,
        count(*) OVER (PARTITION BY subject_id) AS of_subject FROM model.${table}) AS m
        ON m.subject_id = copy.model AND (copy.is_whole OR ${shares[share]}) ORDER BY copy.n, m.nth`;
    await this.insert(table, from, { subject_id: 'copy.id', application: 'copy.application', ...columns });
  }
}
