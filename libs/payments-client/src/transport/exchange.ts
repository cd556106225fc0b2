import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { startStopwatch } from './stopwatch.js';

export type LossReason =
  'connection_failed' | 'connection_lost' | 'timed_out' | 'aborted' | 'malformed_answer';

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** No complete answer came. */
export interface Loss {
  readonly kind: 'loss';
  /** False is proof: no byte of the request was given to a socket. */
  readonly isSent: boolean;
  readonly reason: LossReason;
  /** The network's error code, such as ECONNREFUSED. */
  readonly code: string | undefined;
  /** Present when the answer had begun. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
}

export type ExchangeResult = Answer | Loss;

/** Twenty payments of the largest documented size are well below this; an endless body is not an answer. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * Collects one answer from undici's dispatch callbacks: less work per call than its streams, and the only
 * place that shows the moment before the first byte is written.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<ExchangeResult>;
  readonly #settle: (result: ExchangeResult) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #timeoutMs: number;
  readonly #elapsedMs = startStopwatch();
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #size = 0;
  #status: number | undefined;
  #headers: IncomingHttpHeaders = {};

  constructor(timeoutMs: number, signal: AbortSignal | undefined) {
    const { promise, resolve } = Promise.withResolvers<ExchangeResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#signal = signal;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#giveUp('timed_out'), Math.max(0, timeoutMs));
    if (signal?.aborted) this.#giveUp('aborted');
    else signal?.addEventListener('abort', this, { once: true });
  }

  /** The caller's abort. */
  handleEvent(): void {
    this.#giveUp('aborted');
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#controller !== undefined) {
      // A second start would resend a request that may already have moved money.
      controller.abort(new Error('a request is sent once'));
      this.#lose('connection_lost', undefined);
      return;
    }
    // A process that was paused gets its connection before the timer fires. Others have relied on the time limit since.
    if (this.#elapsedMs() >= this.#timeoutMs) this.#giveUp('timed_out');
    // Given up before the first byte: then undici writes nothing.
    if (this.#isSettled) controller.abort(new Error('the call is over: nothing is sent'));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) this.#giveUp('malformed_answer');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    const status = this.#status;
    if (status === undefined) this.#lose('connection_lost', undefined);
    else this.#finish({ kind: 'answer', status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#lose(this.#controller === undefined ? 'connection_failed' : 'connection_lost', codeOf(error));
  }

  #giveUp(reason: LossReason): void {
    this.#lose(reason, undefined);
    this.#controller?.abort(new Error(reason));
  }

  #lose(reason: LossReason, code: string | undefined): void {
    const isSent = this.#controller !== undefined;
    this.#finish({ kind: 'loss', isSent, reason, code, status: this.#status, headers: this.#headers });
  }

  #finish(result: ExchangeResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this);
    this.#settle(result);
  }
}

function codeOf(error: Error): string | undefined {
  // Node reports a refused connection to a name with several addresses as an aggregate.
  const source =
    error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code: unknown = 'code' in source ? source.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : undefined;
}
