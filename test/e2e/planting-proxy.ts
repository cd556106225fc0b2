import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Stands before a provider and turns every address in its answers to a place inside: links, and on demand redirects.
 * Approval is left as it is, for the payer's browser goes there.
 */
export class PlantingProxy {
  readonly planted: string[] = [];
  /** Access tokens that the provider has given out. */
  readonly tokens: string[] = [];
  private redirects = 0;
  private refusals: string[] = [];
  private close = () => {};

  /** @param target an origin inside, at which nobody must ever connect. */
  constructor(private readonly target: string) {}

  /** @returns its own origin. */
  async start(providerUrl: string): Promise<string> {
    const server = createServer((request, response) => void this.answer(request, response, providerUrl));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    this.close = () => void server.close();
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.close();
  }

  /** Answers the next calls with one redirect each. */
  redirectNext(calls: number): void {
    this.redirects = calls;
  }

  /** Refuses the next call, quoting this and what the caller has authenticated itself with. */
  refuseNext(quoted: string): void {
    this.refusals.push(quoted);
  }

  get isDoneRefusing(): boolean {
    return this.refusals.length === 0;
  }

  get isDoneRedirecting(): boolean {
    return this.redirects === 0;
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    providerUrl: string,
  ): Promise<void> {
    const path = request.url ?? '/';
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    if (this.redirects > 0) {
      this.redirects -= 1;
      const status = [301, 302, 303, 307, 308][this.redirects % 5];
      response.writeHead(status ?? 302, { location: this.target + path }).end();
      return;
    }
    const quoted = path.includes('oauth2') ? undefined : this.refusals.shift();
    if (quoted !== undefined) {
      const message = `${quoted} ${String(request.headers.authorization)}`;
      const details = [{ field: message, issue: message }];
      const refusal = { name: 'VALIDATION_ERROR', message, debug_id: 'd1', details };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      return;
    }
    const answer = await fetch(providerUrl + path, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: forwarded(request),
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const text = this.plant(await answer.text());
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, { ...(type !== null && { 'content-type': type }) }).end(text);
  }

  private plant(text: string): string {
    if (!text.startsWith('{')) return text;
    return JSON.stringify(JSON.parse(text), (name, value: unknown) => {
      if (name === 'access_token') this.tokens.push(String(value));
      if (!isLink(value) || value.rel === 'approval_url') return value;
      const { pathname, search } = new URL(value.href);
      const href = this.target + pathname + search;
      this.planted.push(`${value.rel} ${pathname}`);
      return { ...value, href };
    });
  }
}

function forwarded({ headers }: IncomingMessage): Record<string, string> {
  const passed = ['authorization', 'content-type', 'accept', 'paypal-request-id'];
  return Object.fromEntries(passed.flatMap((name) => (headers[name] ? [[name, String(headers[name])]] : [])));
}

function isLink(value: unknown): value is { readonly href: string; readonly rel: string } {
  return typeof value === 'object' && value !== null && 'href' in value && 'rel' in value;
}
