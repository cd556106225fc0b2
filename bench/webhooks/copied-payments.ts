import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '#api/wire/ids.js';

/** A payment whose rows are a copy of another one's, under ids of its own. */
export interface CopiedPayment {
  readonly id: string;
  /** The provider's ids, by what they name. They name nothing there. */
  readonly resources: Readonly<Partial<Record<'payment' | 'authorization' | 'capture', string>>>;
}

/** Where copies are taken from and go to: addresses of databases, the same one or two. */
export interface Copying {
  readonly from: string;
  readonly to: string;
  /** That the copies belong to. */
  readonly application: string;
}

/** The tables of a payment, each before those that refer to it. */
const tables = ['payments', 'commands', 'attempts', 'resources', 'timeline', 'api_calls'] as const;
type Table = (typeof tables)[number];

/** Copies of one statement. */
const chunk = 200;

/**
 * Copies a payment with all its rows `count` times. By row type and not by column names: a table that gains a column
 * needs no change here.
 */
export async function copyPayment(
  { from, to, application }: Copying,
  paymentId: string,
  count: number,
): Promise<CopiedPayment[]> {
  const model = await connected(from, (source) => readModel(source, paymentId));
  return await connected(to, async (target) => {
    const copies: CopiedPayment[] = [];
    while (copies.length < count) {
      const these = Array.from({ length: Math.min(chunk, count - copies.length) }, () => copyOf(model));
      for (const table of tables) {
        const rows = these.flatMap((copy) => parse<object>(copy.rows[table]));
        await insert(
          target,
          table,
          rows.map((row) => belongingTo(application, row)),
        );
      }
      copies.push(...these.map(({ payment }) => payment));
    }
    await target.query('VACUUM ANALYZE');
    // What is still to be written must not be written while something is measured.
    await target.query('CHECKPOINT');
    return copies;
  });
}

interface Model {
  readonly paymentId: string;
  readonly resources: readonly { readonly kind: string; readonly id: string }[];
  /** What must differ besides: ids and keys of commands, request ids. */
  readonly uniques: readonly string[];
  /** JSON arrays of rows. */
  readonly rows: Readonly<Record<Table, string>>;
}

async function readModel(source: Client, paymentId: string): Promise<Model> {
  const rows: Partial<Record<Table, string>> = {};
  for (const table of tables) {
    const key = table === 'payments' ? 'id' : 'subject_id';
    const { rows: found } = await source.query<{ all: string }>(
      `SELECT coalesce(json_agg(row_to_json(t)), '[]')::text AS all FROM ${table} AS t WHERE ${key} = $1`,
      [paymentId],
    );
    rows[table] = found[0]?.all ?? '[]';
  }
  const all = rows as Record<Table, string>;
  return {
    paymentId,
    rows: all,
    resources: parse<{ kind: string; resource_id: string }>(all.resources).map(({ kind, resource_id }) => ({
      kind,
      id: resource_id,
    })),
    uniques: [
      ...parse<{ request_id: string }>(all.attempts).map(({ request_id }) => request_id),
      ...parse<{ id: string; idempotency_key: string }>(all.commands).flatMap((command) => [
        command.id,
        command.idempotency_key,
      ]),
    ].filter((unique) => !unique.includes(paymentId)),
  };
}

function parse<Row>(rows: string): Row[] {
  return JSON.parse(rows) as Row[];
}

let copiesMade = 0;

function copyOf(model: Model): { readonly payment: CopiedPayment; readonly rows: Record<Table, string> } {
  copiesMade += 1;
  const id = newId('payment', Date.now());
  const resources = model.resources.map((resource) => ({
    ...resource,
    copy: `${resource.id}-${copiesMade}`,
  }));
  const replacements: [string, string][] = [
    [model.paymentId, id],
    ...model.uniques.map((unique): [string, string] => [unique, randomUUID()]),
    ...resources.map((resource): [string, string] => [resource.id, resource.copy]),
  ];
  const replaced = (text: string): string =>
    replacements.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  return {
    payment: { id, resources: Object.fromEntries(resources.map(({ kind, copy }) => [kind, copy])) },
    rows: Object.fromEntries(tables.map((table) => [table, replaced(model.rows[table])])) as Record<
      Table,
      string
    >,
  };
}

function belongingTo(application: string, row: object): object {
  return 'application' in row ? { ...row, application } : row;
}

async function insert(target: Client, table: Table, rows: readonly object[]): Promise<void> {
  const { rows: found } = await target.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  const columns = found[0]?.columns ?? '';
  // Identities that the table gives are generated again.
  await target.query(
    `INSERT INTO ${table} (${columns}) OVERRIDING USER VALUE
     SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    [JSON.stringify(rows)],
  );
}

async function connected<T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
