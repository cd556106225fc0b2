import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { PaymentsClient, type PaymentsClientOptions } from '#payments-client';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly socket: Socket;
}

/** What the provider does with one request; nothing written and nothing ended means that it never answers. */
export type Behaviour = (response: ServerResponse, request: ReceivedRequest) => void;

/** A real HTTP server that answers as told, one behaviour per request, the last one for all that follow. */
export interface ScriptedProvider {
  readonly url: string;
  /** Requests to anything but the token endpoint, in order of arrival. */
  readonly requests: ReceivedRequest[];
  readonly tokenRequests: ReceivedRequest[];
  script(...behaviours: Behaviour[]): void;
  scriptTokens(...behaviours: Behaviour[]): void;
  /** Resolves once `count` requests have arrived, token requests not counted. */
  received(count: number): Promise<void>;
  client(options?: Partial<PaymentsClientOptions>): PaymentsClient;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
  /** Stops, and closes the clients that were made here. */
  close(): Promise<void>;
}

export async function startScriptedProvider(): Promise<ScriptedProvider> {
  const requests: ReceivedRequest[] = [];
  const tokenRequests: ReceivedRequest[] = [];
  let calls: Behaviour[] = [];
  let tokens: Behaviour[] = [issueToken()];
  const waiting: { count: number; resolve: () => void }[] = [];
  const clients: PaymentsClient[] = [];

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => {
      const request: ReceivedRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        socket: incoming.socket,
      };
      const isToken = request.path === '/v1/oauth2/token';
      const log = isToken ? tokenRequests : requests;
      const script = isToken ? tokens : calls;
      log.push(request);
      const behaviour = script[Math.min(log.length, script.length) - 1];
      if (behaviour === undefined) throw new Error(`nothing scripted for ${request.path}`);
      behaviour(response, request);
      for (const waiter of waiting) if (requests.length >= waiter.count) waiter.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const stop = async () => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };

  return {
    url,
    requests,
    tokenRequests,
    script: (...behaviours) => (calls = behaviours),
    scriptTokens: (...behaviours) => (tokens = behaviours),
    received: (count) =>
      new Promise((resolve) => {
        if (requests.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    client(options = {}) {
      const client = new PaymentsClient({
        baseUrl: url,
        clientId: 'client-id',
        clientSecret: 'planted-client-secret',
        retry: { baseDelayMs: 1, maxDelayMs: 5 },
        ...options,
      });
      clients.push(client);
      return client;
    },
    stop,
    async close() {
      await Promise.all([stop(), ...clients.map((client) => client.close())]);
    },
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function raw(status: number, body: string | Buffer, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Announces more than it sends, then hangs up. */
export function truncated(status: number, body: unknown): Behaviour {
  return (response) => {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy());
  };
}

/** Takes the whole request, then the connection breaks: did it happen? */
export const hangUp: Behaviour = (_, request) => {
  request.socket.resetAndDestroy();
};

export const neverAnswer: Behaviour = () => undefined;

export function issueToken(value = 'planted-access-token', expiresIn = 28_800): Behaviour {
  return json(200, {
    scope: 'https://uri.example/services/.*',
    access_token: value,
    token_type: 'Bearer',
    app_id: 'APP-1',
    expires_in: expiresIn,
  });
}

export const tokenRefused = json(401, {
  error: 'invalid_token',
  error_description: 'Token signature failed',
});
