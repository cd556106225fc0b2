import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { Pool } from 'pg';

// The baseline of the service's simple reads: bare Fastify and one SELECT of one row by its key, with as many
// connections as the service has. Nothing is checked, logged or described.
const [poolSize] = process.argv.slice(2);
const pool = new Pool({ connectionString: process.env['DATABASE_URL'], max: Number(poolSize) });
const app = Fastify();
app.get<{ Params: { id: string } }>('/bare/:id', async (request) => {
  const { rows } = await pool.query('SELECT * FROM payments WHERE id = $1', [request.params.id]);
  return rows[0] as object;
});
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.((app.server.address() as AddressInfo).port);
process.once('disconnect', () => process.exit());
