import { type Server, createServer } from 'node:http';
import { once } from 'node:events';

/** GET /healthz: the process lives. GET /readyz: it polls for work; 503 while it does not. */
export async function serveHealth(host: string, port: number, isReady: () => boolean): Promise<Server> {
  const server = createServer((request, response) => {
    const isUp = request.url === '/healthz' || (request.url === '/readyz' && isReady());
    const status = isUp ? 200 : request.url === '/readyz' ? 503 : 404;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ready: isUp }));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}
