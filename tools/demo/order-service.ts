import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { DemoContext } from './demo-context.js';

const paymentSchema = z.object({
  id: z.string(),
  state: z.string(),
  approvalUrl: z.string().nullable().default(null),
});

/** What the demo reads of the engine's answers. */
export type EnginePayment = z.infer<typeof paymentSchema>;

/** A command is answered with the payment as it stands then, or with its own result, which holds the payment. */
const answerSchema = z.union([
  z.object({ payment: paymentSchema }).transform(({ payment }) => payment),
  paymentSchema,
  // A refund has a status.
  z
    .object({ id: z.string(), status: z.string() })
    .transform(({ id, status }) => ({ id, state: status, approvalUrl: null })),
]);

const timelineSchema = z.object({
  entries: z.array(z.object({ event: z.string(), to: z.string(), at: z.string() })),
});

const answeredWithinMs = 60_000;

/** The engine's HTTP API as an order service calls it. */
export class OrderService {
  constructor(private readonly context: DemoContext) {}

  /** POST with a fresh Idempotency-Key. @throws Failure with the problem that the engine states. */
  async post(path: string, body: unknown): Promise<EnginePayment> {
    const payment = await this.#call('POST', path, body);
    this.context.tell('order service', `POST ${path} → ${payment.state}`);
    return payment;
  }

  /** Long-polls until the payment is in one of these states, and tells of each state on the way. */
  async until(id: string, states: readonly string[], collection = 'payments'): Promise<EnginePayment> {
    const patience = Date.now() + answeredWithinMs;
    for (let told = ''; Date.now() < patience;) {
      const payment = await this.#call('GET', `/v1/${collection}/${id}${told ? '?wait=5' : ''}`);
      if (payment.state !== told) this.context.tell('engine', payment.state);
      told = payment.state;
      if (states.includes(payment.state)) return payment;
    }
    throw new Failure(
      `The payment ${id} did not become ${states.join(' or ')} within ${answeredWithinMs / 1000} s.`,
    );
  }

  /** What happened to a payment, in order. */
  async timeline(id: string): Promise<z.infer<typeof timelineSchema>['entries']> {
    return timelineSchema.parse(await this.#exchange('GET', `/v1/payments/${id}/timeline`)).entries;
  }

  async #call(method: string, path: string, body?: unknown): Promise<EnginePayment> {
    return answerSchema.parse(await this.#exchange(method, path, body));
  }

  async #exchange(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.context.api + path, {
      method,
      headers: {
        authorization: `Bearer ${this.context.apiKey}`,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.context.signal, AbortSignal.timeout(answeredWithinMs)]),
    });
    const answer = await response.text();
    if (!response.ok) throw new Failure(`${method} ${path} was answered ${response.status}: ${answer}`);
    return JSON.parse(answer);
  }
}
