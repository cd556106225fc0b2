import { sql } from 'kysely';
import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';

/** 200 while the database answers; 503 in the documented shape otherwise. */
export function addHealthRoute(app: FastifyInstance, { database }: SandboxContext): void {
  app.get('/healthz', async () => {
    await sql`SELECT 1`.execute(database);
    return { status: 'ok' };
  });
}
