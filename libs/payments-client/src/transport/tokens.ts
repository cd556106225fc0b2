import type { AccessToken } from '../schemas/token.js';

interface CachedToken {
  readonly value: string;
  renewAt: number;
  readonly expiresAt: number;
}

/** From this share of its life on, a token is renewed behind the back of the calls that still use it. */
const RENEW_AT = 0.9;

/** How long a failed renewal is left alone, in milliseconds, while the token in force still serves. */
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
   * The token in force, or undefined where one must be waited for.
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

  /** A new token; everyone who asks while one is on its way gets that one. */
  next(): Promise<string> {
    return (this.#flight ??= this.#startFlight());
  }

  #startFlight(): Promise<string> {
    // The life is counted from before the request: what the answer took to arrive is already gone.
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
    // An early renewal has nobody waiting; its failure shows when the token in force has run out.
    flight.catch(() => undefined);
    return flight;
  }

  /** Else every call of the last tenth of a token's life would ask for a new one. */
  #postponeRenewal(): void {
    if (this.#cached === undefined) return;
    const now = performance.now();
    this.#cached.renewAt = now + Math.min(RENEWAL_PAUSE_MS, (this.#cached.expiresAt - now) / 4);
  }
}
