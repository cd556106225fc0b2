import type { AccessToken } from '../schemas/token.js';

interface CachedToken {
  readonly value: string;
  renewAt: number;
  readonly expiresAt: number;
}

/** After this share of its lifetime a token is renewed in the background. */
const RENEW_AT = 0.9;

/** The wait after a failed renewal, in milliseconds, while the current token is still valid. */
const RENEWAL_PAUSE_MS = 30_000;

/**
 * The application's access token (section 5): cached, asked for once however many calls wait, renewed early.
 * A failed request leaves nothing behind: those who waited for it fail, the next call asks again.
 */
export class Tokens {
  readonly #request: () => Promise<AccessToken>;
  #cached: CachedToken | undefined;
  #flight: Promise<string> | undefined;

  /** @param request asks the provider, with time limits of its own; no single caller's abort ends it */
  constructor(request: () => Promise<AccessToken>) {
    this.#request = request;
  }

  /**
   * The current token, or undefined if a new one is needed.
   * @param refused a token that was just answered with 401: it is forgotten, but never a newer one with it
   */
  current(refused?: string): string | undefined {
    if (refused !== undefined && this.#cached?.value === refused) this.#cached = undefined;
    const cached = this.#cached;
    if (cached === undefined) return undefined;
    const now = performance.now();
    if (now >= cached.expiresAt) return undefined;
    if (now >= cached.renewAt) void this.next();
    return cached.value;
  }

  /** Requests a new token; concurrent calls share the request. */
  next(): Promise<string> {
    return (this.#flight ??= this.#startFlight());
  }

  #startFlight(): Promise<string> {
    // The lifetime counts from before the request, because the answer took time to arrive.
    const askedAt = performance.now();
    const flight = this.#request().then(
      ({ value, lifetimeSeconds }) => {
        const lifetimeMs = lifetimeSeconds * 1_000;
        this.#flight = undefined;
        this.#cached = { value, renewAt: askedAt + lifetimeMs * RENEW_AT, expiresAt: askedAt + lifetimeMs };
        return value;
      },
      (error: unknown) => {
        this.#flight = undefined;
        this.#postponeRenewal();
        throw error;
      },
    );
    // Nobody waits for an early renewal; its failure shows when the current token has expired.
    flight.catch(() => undefined);
    return flight;
  }

  /** Otherwise every call in the last tenth of a token's lifetime would request a new one. */
  #postponeRenewal(): void {
    if (this.#cached === undefined) return;
    const now = performance.now();
    this.#cached.renewAt = now + Math.min(RENEWAL_PAUSE_MS, (this.#cached.expiresAt - now) / 4);
  }
}
