import { Budget } from './budget.js';
import type { PaymentsClientOptions } from '../client-options.js';
import type { CallIdentity } from '../errors/payments-error.js';
import { Exchanger, type Sending } from './exchanger.js';
import type { CallResult } from './classify.js';
import type { Operation } from '../operations/operation.js';
import { requestToken } from '../operations/payments.js';
import { checkId, checkRequestId } from './outgoing.js';
import { Attempts } from './retry-loop.js';
import type { ProviderClock } from './provider-clock.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.js';
import type { AccessToken } from '../schemas/token.js';
import { classifyWithoutToken } from './token-failure.js';
import { Tokens } from './tokens.js';

/** What a call sends, already in wire form. */
export interface CallInput {
  /** Id of the resource in the path, for operations that have one. */
  readonly id?: string | undefined;
  /** Query with its question mark. */
  readonly query?: string | undefined;
  /** Sent as JSON; a string is JSON already, and sent as it stands. */
  readonly body?: object | string | undefined;
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly notRepeatedFrom?: number | undefined;
}

const READ_HEADERS = ['accept', 'application/json'];
const JSON_HEADERS = [...READ_HEADERS, 'content-type', 'application/json'];
const FORM = 'application/x-www-form-urlencoded';
/** Section 4 asks for a language on the token call, and only there. */
const TOKEN_HEADERS = [...READ_HEADERS, 'accept-language', 'en_US', 'content-type', FORM];

/** Carries out operations with a token, within limits, as often as their repeatability allows. */
export class Caller {
  readonly #exchanger: Exchanger;
  readonly #tokens = new Tokens(() => this.#requestToken());
  readonly #retry: RetryPolicy;
  readonly #totalTimeoutMs: number;
  readonly #basicCredentials: string;
  readonly #signal: AbortSignal | undefined;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(options: PaymentsClientOptions) {
    this.#exchanger = new Exchanger(options);
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    this.#totalTimeoutMs = options.totalTimeoutMs ?? 45_000;
    this.#signal = options.signal;
    const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`);
    this.#basicCredentials = `Basic ${credentials.toString('base64')}`;
  }

  get clock(): ProviderClock {
    return this.#exchanger.clock;
  }

  /** @throws PaymentsError, or the signal's reason when its abort came before anything could have changed */
  async perform<A>(operation: Operation<A>, input: CallInput): Promise<A> {
    const identity: CallIdentity = { operation: operation.name, requestId: input.requestId };
    if (input.id !== undefined) checkId(input.id, identity);
    if (input.requestId !== undefined) checkRequestId(input.requestId, identity);
    const path = operation.path(input.id ?? '') + (input.query ?? '');
    const body = typeof input.body === 'object' ? JSON.stringify(input.body) : (input.body ?? null);
    const signal = eitherOf(input.signal, this.#signal);
    const budget = new Budget(this.#totalTimeoutMs, signal, input.notRepeatedFrom);
    const attempts = new Attempts(operation.repeatability, this.#retry, budget);
    let sendings = 0;
    const send = (token: string) => {
      sendings += 1;
      const headers = [...(body === null ? READ_HEADERS : JSON_HEADERS), 'authorization', `Bearer ${token}`];
      const sending: Sending = { path, id: input.id, body, headers, number: sendings };
      return this.#exchanger.exchange(operation, identity, sending, budget);
    };
    // In this function, because each async function in between would make every call slower.
    for (let hasReplayed = false; ;) {
      const token = this.#tokens.current() ?? (await this.#nextToken(identity, budget));
      let result = typeof token === 'string' ? await send(token) : token;
      if (typeof token === 'string' && !hasReplayed && mayReplay(result, budget)) {
        // A 401 comes before anything is done: even a POST that must not be repeated may go out again.
        hasReplayed = true;
        const newer = this.#tokens.current(token) ?? (await this.#nextToken(identity, budget));
        result = typeof newer === 'string' ? await send(newer) : newer;
      }
      if (result.kind === 'done') return result.answer;
      await attempts.waitAfter(result);
    }
  }

  /** Ends token requests at once, and connections once their exchanges have ended. */
  close(): Promise<void> {
    this.#closing.abort();
    return (this.#closed ??= this.#exchanger.close());
  }

  /** The token, or the result of a call that got none. */
  async #nextToken(identity: CallIdentity, budget: Budget): Promise<string | CallResult<never>> {
    try {
      return await budget.join(this.#tokens.next());
    } catch (failure) {
      return classifyWithoutToken(identity, failure);
    }
  }

  async #requestToken(): Promise<AccessToken> {
    const budget = new Budget(this.#totalTimeoutMs, this.#closing.signal);
    const attempts = new Attempts(requestToken.repeatability, this.#retry, budget);
    for (let number = 1; ; number += 1) {
      const sending: Sending = {
        path: requestToken.path(''),
        body: 'grant_type=client_credentials',
        headers: [...TOKEN_HEADERS, 'authorization', this.#basicCredentials],
        number,
      };
      const identity = { operation: requestToken.name };
      const result = await this.#exchanger.exchange(requestToken, identity, sending, budget);
      if (result.kind === 'done') return result.answer;
      await attempts.waitAfter(result);
    }
  }
}

function eitherOf(own: AbortSignal | undefined, common: AbortSignal | undefined): AbortSignal | undefined {
  return own && common ? AbortSignal.any([own, common]) : (own ?? common);
}

/** A read may be sent again whoever has answered 401: otherwise a token refused in unknown words would stay in use. */
function mayReplay(result: CallResult<unknown>, budget: Budget): boolean {
  const isRefused = (result.kind === 'refused' || result.kind === 'unread') && result.error.status === 401;
  return isRefused && budget.allowsRepeatAfter(0);
}
