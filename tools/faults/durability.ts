import { Client } from 'pg';
import type { Postgres } from '../postgres.js';

/** The setting `fsync` of every cluster: `on` only when it is on everywhere. */
export async function fsyncOf(clusters: readonly Postgres[]): Promise<string> {
  const settings = await Promise.all(clusters.map((cluster) => showFsync(cluster.url('postgres'))));
  return settings.every((setting) => setting === 'on') ? 'on' : 'off';
}

async function showFsync(connectionString: string): Promise<string> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ fsync: string }>('SHOW fsync');
    return rows[0]?.fsync ?? 'unknown';
  } finally {
    await client.end();
  }
}
