import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a provider and rewrites the text of its answers, also to what the sandbox itself cannot be told to answer. */
export class RewritingProxy {
  private close = () => {};

  /**
   * @param toProvider rewrites the target of a request.
   * @param date of every answer, in the form of HTTP; the present by default.
   */
  constructor(
    private readonly rewrite: (text: string) => string,
    private readonly others: {
      readonly toProvider?: (target: string) => string;
      readonly date?: () => string;
    } = {},
  ) {}

  /** @returns its own origin. */
  async start(providerUrl: string): Promise<string> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = Buffer.concat((await request.toArray()) as Buffer[]);
        const target = request.url ?? '/';
        const { authorization, 'content-type': type, 'paypal-request-id': id } = request.headers;
        const answer = await fetch(providerUrl + (this.others.toProvider?.(target) ?? target), {
          method: request.method ?? 'GET',
          headers: {
            ...(authorization !== undefined && { authorization }),
            ...(type !== undefined && { 'content-type': type }),
            ...(id !== undefined && { 'paypal-request-id': String(id) }),
          },
          ...(body.length > 0 && { body: new Uint8Array(body) }),
        });
        const text = this.rewrite(await answer.text());
        const date = this.others.date?.();
        const headers = { 'content-type': 'application/json', ...(date !== undefined && { date }) };
        response.writeHead(answer.status, headers).end(text);
        // The provider has dropped its answer.
      })().catch(() => response.destroy());
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    this.close = () => void server.close();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.close();
  }
}
