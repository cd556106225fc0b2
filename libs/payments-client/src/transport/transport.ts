import { type Dispatcher, Pool } from 'undici';
import { type AddressRule, checkedLookup } from '../addresses/index.js';
import { Exchange, type ExchangeResult } from './exchange.js';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With the query, without the base URL's own path. */
  readonly path: string;
  /** Names and values in turn, the form that undici need not convert. */
  readonly headers: string[];
  readonly body: string | null;
}

interface TransportOptions {
  /** Origin, with a path in front of /v1 where a gateway adds one. */
  readonly baseUrl: string;
  /**
   * For a proxy or a test. It must send each request at most once, and call `onRequestStart` before its first byte,
   * since that distinguishes "never sent" from "perhaps done".
   */
  readonly dispatcher?: Dispatcher | undefined;
  readonly addressRule?: AddressRule | undefined;
}

/** Sends one request once: no redirect followed, nothing repeated, nothing decoded. */
export class Transport {
  readonly #dispatcher: Dispatcher;
  readonly #ownPool: Pool | undefined;
  readonly #origin: string;
  readonly #basePath: string;

  constructor({ baseUrl, dispatcher, addressRule }: TransportOptions) {
    const url = new URL(baseUrl);
    this.#origin = url.origin;
    this.#basePath = url.pathname.replace(/\/+$/, '');
    // Timers are ours (one per attempt), and HTTP/1.1 keeps one request per connection: a lost connection leaves
    // exactly one request with an unknown outcome.
    const connect = { lookup: checkedLookup(addressRule) };
    this.#ownPool = dispatcher
      ? undefined
      : new Pool(url.origin, { connections: 64, allowH2: false, connect });
    this.#dispatcher = dispatcher ?? (this.#ownPool as Pool);
  }

  /** Never rejects: what went wrong is part of the result. */
  send(request: WireRequest, timeoutMs: number, signal: AbortSignal | undefined): Promise<ExchangeResult> {
    const exchange = new Exchange(timeoutMs, signal);
    this.#dispatcher.dispatch(
      {
        origin: this.#origin,
        path: this.#basePath + request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      exchange,
    );
    return exchange.result;
  }

  /** Ends idle connections, after letting open exchanges finish; a dispatcher that was given stays open. */
  async close(): Promise<void> {
    await this.#ownPool?.close();
  }
}
