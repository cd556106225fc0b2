import { Client } from 'pg';
import type { Postgres } from '#tools/postgres.js';

const settings = ['fsync', 'synchronous_commit', 'full_page_writes'] as const;

/** `on` only when what a commit promises is on in every cluster: fsync, and the two settings without which it is little. */
export async function fsyncOf(clusters: readonly Postgres[]): Promise<string> {
  const shown = await Promise.all(clusters.map((cluster) => show(cluster.url('postgres'))));
  return shown.flat().every((setting) => setting === 'on') ? 'on' : 'off';
}

async function show(connectionString: string): Promise<(string | undefined)[]> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const shown: (string | undefined)[] = [];
    for (const name of settings) {
      const { rows } = await client.query<{ setting: string }>('SELECT current_setting($1) AS setting', [
        name,
      ]);
      shown.push(rows[0]?.setting);
    }
    return shown;
  } finally {
    await client.end();
  }
}
