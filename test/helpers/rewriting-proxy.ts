import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a provider and rewrites the text of its answers, also to what the sandbox itself cannot be told to answer. */
export class RewritingProxy {
  private close = () => {};

  constructor(private readonly rewrite: (text: string) => string) {}

  /** @returns its own origin. */
  async start(providerUrl: string): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat((await request.toArray()) as Buffer[]);
        const { authorization, 'content-type': type, 'paypal-request-id': id } = request.headers;
        const answer = await fetch(providerUrl + (request.url ?? '/'), {
          method: request.method ?? 'GET',
          headers: {
            ...(authorization !== undefined && { authorization }),
            ...(type !== undefined && { 'content-type': type }),
            ...(id !== undefined && { 'paypal-request-id': String(id) }),
          },
          ...(body.length > 0 && { body: new Uint8Array(body) }),
        });
        const text = this.rewrite(await answer.text());
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      })();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    this.close = () => void server.close();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.close();
  }
}
