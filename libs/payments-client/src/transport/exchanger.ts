import type { Budget } from './budget.js';
import { CallRecord } from './call-record.js';
import type { PaymentsClientOptions, SentCall } from '../client-options.js';
import type { CallIdentity } from '../errors/payments-error.js';
import { classify, parseBody, type CallResult } from './classify.js';
import type { Operation } from '../operations/operation.js';
import { ProviderClock } from './provider-clock.js';
import { factsOf } from './refusal.js';
import { transactionIdOf } from './transaction-id.js';
import { Transport } from './transport.js';

/** One sending of a call. */
export interface Sending {
  readonly path: string;
  /** Of the resource in the path, if it has one. */
  readonly id?: string | undefined;
  readonly body: string | null;
  /** Names and values in turn, of this sending alone: the exchange adds the request id's and the hook's. */
  readonly headers: string[];
  /** From 1, over everything that was sent for the call. */
  readonly number: number;
}

/** Sends once, classifies the result, and reports it to the hook. */
export class Exchanger {
  readonly clock = new ProviderClock();
  readonly #transport: Transport;
  readonly #attemptTimeoutMs: number;
  readonly #requestIdHeader: string;
  readonly #onCall: PaymentsClientOptions['onCall'];
  readonly #onSend: PaymentsClientOptions['onSend'];

  constructor(options: PaymentsClientOptions) {
    this.#transport = new Transport(options);
    this.#attemptTimeoutMs = options.attemptTimeoutMs ?? 15_000;
    this.#requestIdHeader = options.requestIdHeader ?? 'PayPal-Request-Id';
    this.#onCall = options.onCall;
    this.#onSend = options.onSend;
  }

  async exchange<A>(
    operation: Operation<A>,
    identity: CallIdentity,
    sending: Sending,
    budget: Budget,
  ): Promise<CallResult<A>> {
    const { path, body, headers } = sending;
    if (identity.requestId !== undefined) headers.push(this.#requestIdHeader, identity.requestId);
    const sent = this.#onSend?.(operation.name, operation.method);
    if (sent) headers.push(...Object.entries(sent.headers).flat());
    const request = { method: operation.method, path, headers, body };
    const startedAt = performance.now();
    const timeoutMs = Math.min(this.#attemptTimeoutMs, budget.remainingMs());
    const result = await this.#transport.send(request, timeoutMs, budget.signal);
    const answerBody = parseBody(result);
    const durationMs = performance.now() - startedAt;
    this.clock.observe(operation.name, result, answerBody, Date.now() - durationMs);
    const callResult = classify(operation, identity, sending.id, result, answerBody);
    if (this.#onCall !== undefined || sent !== undefined) {
      const record = new CallRecord(operation.name, this.#requestIdHeader, request, result, {
        requestId: identity.requestId,
        attempt: sending.number,
        startedAt: new Date(Date.now() - durationMs),
        durationMs,
        debugId: factsOf(result.status, result.headers, answerBody).debugId,
        transactionId: callResult.kind === 'done' ? transactionIdOf(callResult.answer) : undefined,
        answerBody,
      });
      this.#report(record, sent);
    }
    return callResult;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** A hook that throws must not turn a capture that succeeded into a failure. */
  #report(record: CallRecord, sent: SentCall | undefined): void {
    try {
      this.#onCall?.(record);
      sent?.ended(record);
    } catch {
      process.emitWarning(`A hook threw on ${record.operation}`, 'PaymentsClientWarning');
    }
  }
}
