import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Stands before a provider and notes a header of each request. */
export class HeaderProxy {
  readonly seen: string[] = [];
  private close = () => {};

  constructor(private readonly header: string) {}

  /** @returns its own origin. */
  async start(providerUrl: string): Promise<string> {
    const server = createServer((incoming, response) => {
      const value = incoming.headers[this.header];
      if (typeof value === 'string') this.seen.push(value);
      const { method, headers } = incoming;
      const passed = ask(providerUrl + (incoming.url ?? '/'), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      passed.on('error', () => response.destroy());
      incoming.pipe(passed);
    });
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    this.close = () => {
      server.closeAllConnections();
      server.close();
    };
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.close();
  }
}
