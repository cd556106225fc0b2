import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '#database/connection';

/** An endpoint of the bench's order service. */
export interface Endpoint {
  readonly id: string;
  readonly secret: string;
  /** Without any, nothing is written. */
  remove(): Promise<void>;
}

export async function registerEndpoint(
  { origin, apiKey }: { readonly origin: string; readonly apiKey: string },
  url: string,
): Promise<Endpoint> {
  const call = async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`${origin}/v1/notification-endpoints${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} of an endpoint was answered ${answer.status}`);
    return answer;
  };
  const { id, secret } = (await (await call('POST', '', { url })).json()) as Omit<Endpoint, 'remove'>;
  return { id, secret, remove: async () => void (await call('DELETE', `/${id}`)) };
}

export async function isAllDelivered(db: Database, { id }: Pick<Endpoint, 'id'>): Promise<boolean> {
  const { rows } = await sql`select from notification_deliveries
    where endpoint_id = ${id} and state = 'pending' limit 1`.execute(db);
  return rows.length === 0;
}
