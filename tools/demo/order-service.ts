import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Failure } from '../failure.js';
import type { DemoContext } from './demo-context.js';
import { approveAsPayer } from './payer.js';

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
]);

const timelineSchema = z.object({
  data: z.array(z.object({ event: z.string(), to: z.string(), at: z.string() })),
});

const answeredWithinMs = 240_000;

/** What is waited for. */
export interface Wait {
  /** Where it is found under /v1; default `payments`. */
  readonly collection?: string;
  /** Milliseconds; default a minute. */
  readonly withinMs?: number;
}

/** The engine's HTTP API as an order service calls it. */
export class OrderService {
  constructor(private readonly context: DemoContext) {}

  /**
   * Orders a payment, under an order of its own, and plays its payer, who approves it.
   *
   * @param terms what is ordered: intent, amount, policies.
   * @returns the payment's id.
   */
  async orderAndApprove(terms: object): Promise<string> {
    const orderId = `order-${randomUUID().slice(0, 8)}`;
    const { id } = await this.post('/v1/payments', {
      orderId,
      returnUrl: `https://shop.example/orders/${orderId}/paid`,
      cancelUrl: `https://shop.example/orders/${orderId}/cancelled`,
      ...terms,
    });
    await this.approve(id);
    return id;
  }

  /**
   * The payer approves; the first answer to an order may come before the provider's, without an address yet.
   *
   * @returns the provider's token of the approval.
   */
  async approve(id: string, collection?: string): Promise<string> {
    const { approvalUrl } = await this.until(id, ['awaiting_approval'], collection ? { collection } : {});
    if (!approvalUrl) throw new Failure(`${id} awaits approval, but does not say where.`);
    await approveAsPayer(approvalUrl, this.context);
    return new URL(approvalUrl).searchParams.get('token') ?? '';
  }

  /** POST with a fresh Idempotency-Key. @throws Failure with the problem that the engine states. */
  async post(path: string, body: unknown): Promise<EnginePayment> {
    const payment = answerSchema.parse(await this.exchange('POST', path, body));
    this.context.tell('order service', `POST ${path} → ${payment.state}`);
    return payment;
  }

  /**
   * Long-polls until it is in one of these states, and prints each state on the way.
   *
   * @throws Failure when it is not in time.
   */
  async until(id: string, states: readonly string[], wait: Wait = {}): Promise<EnginePayment> {
    const { collection = 'payments', withinMs = answeredWithinMs } = wait;
    const deadline = Date.now() + withinMs;
    let reported = '';
    while (Date.now() < deadline) {
      const path = `/v1/${collection}/${id}${reported ? '?wait=5' : ''}`;
      const payment = answerSchema.parse(await this.exchange('GET', path));
      if (payment.state !== reported) this.context.tell('engine', payment.state);
      reported = payment.state;
      if (states.includes(payment.state)) return payment;
      // Not everything can be waited for at the API.
      await sleep(50);
    }
    const seconds = withinMs / 1_000;
    throw new Failure(`${id} did not become ${states.join(' or ')} within ${seconds} s: it is ${reported}.`);
  }

  /** What happened to a payment, in order. */
  async timeline(id: string): Promise<z.infer<typeof timelineSchema>['data']> {
    return timelineSchema.parse(await this.exchange('GET', `/v1/payments/${id}/timeline`)).data;
  }

  /** One request, with a fresh Idempotency-Key where it has a body. @throws Failure unless it is answered with 2xx. */
  async exchange(method: string, path: string, body?: unknown): Promise<unknown> {
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
