import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '../failure.js';
import { type Answer, exchange, exchangeUntilAnswered } from './http.js';

const amount = z.object({ value: z.string(), currency: z.string() });

const paymentView = z.object({
  id: z.string(),
  state: z.string(),
  version: z.int(),
  approvalUrl: z.string().nullish(),
  amounts: z.object({ authorized: amount, captured: amount, capturable: amount }),
  reason: z.string().nullish(),
});

/** What an order service reads of a payment; amounts are the engine's decimal strings. */
export type PaymentView = z.infer<typeof paymentView>;

const captureResult = z.object({ capture: z.object({ id: z.string() }).nullish(), payment: paymentView });

const problem = z.object({
  title: z.string().default(''),
  detail: z.string().default(''),
  currentState: z.string().optional(),
});

/**
 * One request with one Idempotency-Key, and what the engine has said to it so far.
 * - `open`: not known yet, or 202: accepted and under way.
 * - `failed`: 402, the provider did not do it. `refused`: another 4xx.
 */
export interface Command {
  readonly kind: 'create' | 'capture' | 'void';
  readonly key: string;
  readonly path: string;
  readonly body: unknown;
  outcome: 'open' | 'succeeded' | 'failed' | 'refused';
  captureId?: string;
  payment?: PaymentView;
  /** Of a failure or refusal. */
  detail?: string;
}

const longPollSeconds = 10;

/** The engine's HTTP API as its README tells an order service to use it: the same key again until the answer is final. */
export class OrderService {
  constructor(
    /** One per API process; any of them will do. */
    private readonly origins: readonly string[],
    private readonly apiKey: string,
  ) {}

  newCommand(kind: Command['kind'], path: string, body: unknown): Command {
    return { kind, path, body, key: randomUUID(), outcome: 'open' };
  }

  /** Sends a command until the engine has a final answer, and notes it there. */
  async submit(command: Command, signal: AbortSignal): Promise<void> {
    const answer = await exchangeUntilAnswered(
      (attempt) => this.#send(attempt, command.path, signal, command),
      signal,
      (answer) => isUnderWay(command, answer),
    );
    note(command, answer);
  }

  /** Waits until the payment satisfies. */
  async until(
    id: string,
    satisfies: (payment: PaymentView) => boolean,
    signal: AbortSignal,
  ): Promise<PaymentView> {
    let payment = await this.read(id, signal);
    while (!satisfies(payment)) {
      const query = `?wait=${longPollSeconds}&since=${payment.version}`;
      const seen = await this.read(id, signal, query);
      if (seen.version === payment.version) await sleep(100, undefined, { signal });
      payment = seen;
    }
    return payment;
  }

  async read(id: string, signal: AbortSignal, query = ''): Promise<PaymentView> {
    const path = `/v1/payments/${id}${query}`;
    const answer = await exchangeUntilAnswered((attempt) => this.#send(attempt, path, signal), signal);
    if (answer.status !== 200) throw unexpected(path, answer);
    return paymentView.parse(JSON.parse(answer.text));
  }

  #send(attempt: number, path: string, signal: AbortSignal, command?: Command): Promise<Answer> {
    const origin = this.origins[attempt % this.origins.length] ?? '';
    const authorization = `Bearer ${this.apiKey}`;
    if (!command) return exchange(origin + path, { headers: { authorization } }, signal);
    const headers = {
      authorization,
      'content-type': 'application/json',
      'idempotency-key': command.key,
    };
    return exchange(origin + path, { method: 'POST', headers, body: JSON.stringify(command.body) }, signal);
  }
}

/** 202: accepted for good, and the answer is still to come. */
function isUnderWay(command: Command, { status, text }: Answer): boolean {
  if (status !== 202) return false;
  if (command.kind === 'create') command.payment = paymentView.parse(JSON.parse(text));
  return true;
}

function note(command: Command, answer: Answer): void {
  if (answer.status === 402 || answer.status === 409 || answer.status === 422) {
    const { title, detail, currentState } = problem.parse(JSON.parse(answer.text));
    command.outcome = answer.status === 402 ? 'failed' : 'refused';
    command.detail = `${answer.status} ${title}: ${detail} (${currentState ?? 'no state given'})`;
    return;
  }
  if (answer.status >= 300) throw unexpected(command.path, answer);
  command.outcome = 'succeeded';
  const body: unknown = JSON.parse(answer.text);
  if (command.kind !== 'capture') {
    command.payment = paymentView.parse(body);
    return;
  }
  const { capture, payment } = captureResult.parse(body);
  command.payment = payment;
  if (capture) command.captureId = capture.id;
}

/** Neither the provider's doing nor a matter of time: engine and campaign do not understand each other. */
function unexpected(path: string, { status, text }: Answer): Failure {
  return new Failure(`${path} was answered ${status}: ${text.slice(0, 500)}`);
}
