import { Pool } from 'undici';
import type { FuzzedDelivery } from './fuzzed-deliveries.js';

export interface FuzzOutcome {
  /** How many deliveries of a kind were answered with a status: `address 404`. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first few that were not answered as they should be. */
  readonly wrong: readonly string[];
}

const concurrency = 48;

/** Sends so many deliveries over kept connections and counts the answers. */
export async function sendFuzz(
  origin: string,
  deliveries: Iterator<FuzzedDelivery, never>,
  total: number,
): Promise<FuzzOutcome> {
  const pool = new Pool(origin, { connections: concurrency, pipelining: 1 });
  const counts: Record<string, number> = {};
  const wrong: string[] = [];
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < total) {
      const number = sent++;
      const delivery = deliveries.next().value;
      const status = await send(pool, delivery);
      const name = `${delivery.kind} ${status}`;
      counts[name] = (counts[name] ?? 0) + 1;
      if (!delivery.right.includes(status) && wrong.length < 20)
        wrong.push(describe(number, delivery, status));
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    await pool.close();
  }
  return { counts, wrong };
}

/** @returns 0 where the connection was cut before an answer came. */
async function send(pool: Pool, { method, path, headers, body }: FuzzedDelivery): Promise<number> {
  try {
    const response = await pool.request({ method, path, headers, body });
    await response.body.dump();
    return response.statusCode;
  } catch (error) {
    if (error instanceof Error && 'code' in error && /SOCKET|RESET|PIPE/.test(String(error.code))) return 0;
    throw error;
  }
}

function describe(
  number: number,
  { kind, method, path, headers, body }: FuzzedDelivery,
  status: number,
): string {
  const shown = JSON.stringify({ path, headers, body: body.toString('latin1').slice(0, 300) });
  return `delivery ${number} (${kind}, ${method}) was answered ${status}: ${shown}`;
}
