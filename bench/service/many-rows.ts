import { Client } from 'pg';

/**
 * Copies the newest payment and the newest event of an application until it has `count` of each, a second apart and back
 * into the past. By row type and not by column names: a table that gains a column needs no change here.
 */
export async function multiplyRows(databaseUrl: string, clientId: string, count: number): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await multiply(client, 'payments', clientId, count, `'PAY-COPY' || n`, `'EC-COPY' || n`);
    await multiply(client, 'events', clientId, count, `'WH-COPY' || n`);
    await client.query('VACUUM ANALYZE');
    // What is still to be written must not be written while something is measured.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

async function multiply(
  client: Client,
  table: 'payments' | 'events',
  clientId: string,
  count: number,
  id: string,
  approvalToken?: string,
): Promise<void> {
  const token = approvalToken === undefined ? '' : `, 'approval_token', ${approvalToken}`;
  await client.query(
    `INSERT INTO ${table}
     SELECT (json_populate_record(model, json_build_object(
       'id', ${id}, 'created_at', model.created_at - n * interval '1 second'${token}))).*
     FROM (SELECT * FROM ${table} WHERE client_id = $1 ORDER BY created_at DESC LIMIT 1) AS newest
     JOIN ${table} AS model ON model.id = newest.id
     CROSS JOIN generate_series(1, $2::integer) AS n`,
    [clientId, count],
  );
}
