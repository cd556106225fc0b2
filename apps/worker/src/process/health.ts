import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { once } from 'node:events';

/**
 * GET /healthz: the process is alive. GET /readyz: it polls for work and its dependencies answer; otherwise 503 with
 * the names of what is missing.
 */
export async function serveHealth(
  host: string,
  port: number,
  missing: () => Promise<readonly string[]>,
): Promise<Server> {
  const server = createServer((request, response) => void answer(request, response, missing));
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

async function answer(
  { url }: IncomingMessage,
  response: ServerResponse,
  missing: () => Promise<readonly string[]>,
): Promise<void> {
  const isKnown = url === '/healthz' || url === '/readyz';
  const lacks = url === '/readyz' ? await missing() : [];
  response.writeHead(!isKnown ? 404 : lacks.length > 0 ? 503 : 200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({ ready: isKnown && lacks.length === 0, ...(lacks.length > 0 && { missing: lacks }) }),
  );
}
