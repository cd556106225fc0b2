import { gzipSync } from 'node:zlib';
import type { Chance } from './chance.js';
import type { Endpoint } from './endpoints.js';
import type { Identifiers } from './identifiers.js';
import { hostileJson, hostileText, mutated } from './mutations.js';

export interface FuzzedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/xml',
  'application/merge-patch+json',
  'nonsense',
  '',
];
const HEADERS = [
  'content-type',
  'authorization',
  'accept',
  'accept-language',
  'accept-encoding',
  'paypal-request-id',
  'x-forwarded-for',
  'x-http-method-override',
  'cookie',
  'if-none-match',
  'range',
  'origin',
  'prefer',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];
const SEGMENTS = [
  'v1',
  'payments',
  'payment',
  'notifications',
  'webhooks',
  '..',
  '.',
  '',
  '%2e%2e',
  '%00',
  '%',
  '%ff',
];

export class Requests {
  constructor(
    private readonly chance: Chance,
    private readonly identifiers: Identifiers,
    /** Of the application that owns most of what is known, and of another. */
    private readonly tokens: { readonly owner: string; readonly other: string },
  ) {}

  /** A request to the endpoint with something wrong in it, or nothing. */
  to(endpoint: Endpoint): FuzzedRequest {
    const { chance } = this;
    const request: FuzzedRequest = {
      method: endpoint.method,
      path: this.#pathOf(endpoint),
      headers: this.#headers(),
      body: null,
    };
    if (endpoint.body !== undefined) {
      const known = (kind: string) => this.identifiers.pick(chance, kind);
      this.#writeBody(request, endpoint.body(chance, known));
    } else if (endpoint.method !== 'GET') this.#writeForm(request, endpoint.form);
    if (chance.happens(0.1)) this.#spoilHeaders(request);
    return request;
  }

  /** A request to nowhere in particular. */
  random(): FuzzedRequest {
    const { chance } = this;
    const segments = Array.from({ length: 1 + chance.below(6) }, () =>
      chance.happens(0.7) ? chance.pick(SEGMENTS) : encodeURIComponent(wellFormed(hostileText(chance))),
    );
    const method = chance.pick(METHODS);
    const request = { method, path: `/${segments.join('/')}`, headers: this.#headers(), body: null };
    if (method !== 'GET' && method !== 'HEAD') this.#writeBody(request, { any: hostileText(chance) });
    if (chance.happens(0.3)) this.#spoilHeaders(request);
    return request;
  }

  #pathOf({ path, query }: Endpoint): string {
    const { chance } = this;
    const filled = path.replace(/\{(\w+)\}/g, (_, kind: string) =>
      chance.happens(0.85)
        ? this.identifiers.pick(chance, kind)
        : encodeURIComponent(wellFormed(hostileText(chance)).slice(0, 200)),
    );
    const slash = chance.happens(0.05) ? '/' : '';
    const names = [...(query ?? []), 'unknown', '__proto__'];
    const pairs = Array.from({ length: chance.below(query === undefined ? 2 : 4) }, () => {
      const value = chance.happens(0.5) ? this.#likelyValue() : wellFormed(hostileText(chance)).slice(0, 500);
      return [chance.pick(names), value] as [string, string];
    });
    const text = new URLSearchParams(pairs).toString();
    const raw = chance.happens(0.05) ? '&%zz=%&[]=1&a[b]=c&=' : '';
    return filled + slash + (text || raw ? `?${text}${raw}` : '');
  }

  #likelyValue(): string {
    const { chance, identifiers } = this;
    return chance.pick([
      () => String(chance.below(30) - 2),
      () => new Date(Date.now() - chance.below(1e8)).toISOString(),
      () => new Date(Date.now() - chance.below(1e9)).toISOString().slice(0, 10),
      () => identifiers.pick(chance, chance.pick(['payment', 'authorization', 'event', 'approvalToken'])),
      () =>
        chance.pick([
          'ACTIVE',
          'CREATED',
          'asc',
          'desc',
          'yes',
          'true',
          'create_time',
          'PAYMENT.SALE.REFUNDED',
        ]),
    ])();
  }

  #headers(): Record<string, string> {
    const { chance, tokens } = this;
    return {
      ...(chance.happens(0.95) && {
        authorization: `Bearer ${chance.happens(0.9) ? tokens.owner : tokens.other}`,
      }),
      ...(chance.happens(0.2) && { 'paypal-request-id': `request-${chance.below(300)}` }),
    };
  }

  #writeBody(request: FuzzedRequest, body: object): void {
    const { chance } = this;
    request.headers['content-type'] = 'application/json';
    const dice = chance.fraction();
    if (dice < 0.3) request.body = JSON.stringify(body);
    else if (dice < 0.8) request.body = JSON.stringify(mutated(chance, body)) ?? '';
    else if (dice < 0.97) request.body = hostileJson(chance, body);
    else {
      request.body = gzipSync(JSON.stringify({ ...body, zeros: '0'.repeat(500_000) }));
      request.headers['content-encoding'] = chance.pick(['gzip', 'br', 'deflate', 'identity', 'nonsense']);
    }
  }

  /** As a browser, or the token call, sends it. */
  #writeForm(request: FuzzedRequest, kind: string = 'approvalToken'): void {
    const { chance, identifiers } = this;
    request.headers['content-type'] = 'application/x-www-form-urlencoded';
    const token = chance.happens(0.7) ? identifiers.pick(chance, kind) : hostileText(chance);
    const grant = chance.pick(['client_credentials', 'refresh_token', hostileText(chance)]);
    const pairs = chance.pick([{ token }, { token, accountId: hostileText(chance) }, { grant_type: grant }]);
    request.body = chance.happens(0.9) ? new URLSearchParams(pairs).toString() : hostileJson(chance, pairs);
    if (chance.happens(0.5) && request.path.startsWith('/v1/oauth2')) {
      const pair = chance.pick(['shop:shop-secret', 'shop:wrong', ':', '', hostileText(chance)]);
      request.headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
    }
  }

  #spoilHeaders(request: FuzzedRequest): void {
    const { chance } = this;
    const text = wellFormed(hostileText(chance))
      .replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')
      .slice(0, 2_000);
    const name = chance.pick(HEADERS);
    request.headers[name] = name === 'content-type' ? chance.pick(CONTENT_TYPES) : text;
  }
}

/** Node’s own URL encoding refuses lone surrogates; the service is shown them in JSON. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
