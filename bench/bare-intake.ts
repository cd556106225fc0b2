import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Pool } from 'pg';

// The baseline of the webhook intake: bare Fastify that parses the body and INSERTs it under the event's id, committed
// before the answer, with as many connections to the same PostgreSQL as the API has. Nothing is authenticated,
// validated, redacted, logged or processed.
const [poolSize] = process.argv.slice(2);
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: Number(poolSize) });
await pool.query('CREATE TABLE bare_events (id text PRIMARY KEY, body jsonb NOT NULL)');
const app = Fastify();
app.post<{ Body: { id: string } }>('/bare', async ({ body }) => {
  await pool.query('INSERT INTO bare_events (id, body) VALUES ($1, $2)', [body.id, JSON.stringify(body)]);
  return { received: true };
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.once('disconnect', () => process.exit());
