import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { untilAborted } from './command.js';
import { Failure } from './failure.js';

export interface Listening {
  /** Origin of the API. */
  readonly api: string;
  readonly apiKey: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

const registered = z.object({ id: z.string(), secret: z.string() });

const notification = z.object({
  type: z.string(),
  createdAt: z.string(),
  data: z.looseObject({
    id: z.string().optional(),
    itemId: z.string().optional(),
    endpointId: z.string().optional(),
    state: z.string().optional(),
  }),
});

/** Registers an endpoint of this process, prints what it is sent, and removes it when the signal is aborted. */
export async function listenToNotifications({ api, apiKey, print, signal }: Listening): Promise<void> {
  let secret = '';
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    print(lineOf(body, isSigned(secret, request, body)));
    response.writeHead(204).end();
  };
  const server = createServer(
    (request, response) => void take(request, response).catch(() => request.destroy()),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = async (method: string, path: string, body?: object): Promise<Response> =>
    await fetch(`${api}/v1/notification-endpoints${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  try {
    const url = `http://127.0.0.1:${port}/`;
    const answer = await call('POST', '', { url, description: 'npm run listen' });
    if (!answer.ok)
      throw new Failure(`The endpoint was not registered: ${answer.status} ${await answer.text()}`);
    const endpoint = registered.parse(await answer.json());
    secret = endpoint.secret;
    print(`listening to ${api} as ${endpoint.id}; stop with Ctrl-C`);
    await untilAborted(signal);
    await call('DELETE', `/${endpoint.id}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function lineOf(body: string, isGenuine: boolean): string {
  const read = notification.safeParse(jsonOf(body));
  const signature = isGenuine ? 'signature valid' : 'SIGNATURE NOT VALID';
  if (!read.success) return `no notification  ${signature}`;
  const { type, createdAt, data } = read.data;
  const about = data.id ?? data.itemId ?? data.endpointId ?? '';
  return [createdAt, type, about, data.state ?? '', signature].join('  ');
}

function isSigned(secret: string, { headers }: IncomingMessage, body: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
