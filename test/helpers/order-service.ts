import { randomUUID } from 'node:crypto';
import { assertDocumented } from './documented-answer.js';
import { until } from './until.js';

export interface PaymentView {
  readonly id: string;
  readonly state: string;
  readonly approvalUrl: string | null;
  readonly amounts: Readonly<
    Record<
      'authorized' | 'captured' | 'pending' | 'capturable' | 'released' | 'refunded' | 'reversed',
      { value: string; currency: string }
    >
  >;
  readonly refunds: readonly RefundView[];
  readonly sale: { readonly id: string; readonly state: string } | null;
  readonly captures: readonly { id: string; amount: { value: string }; state: string; final: boolean }[];
  readonly deadlines: Readonly<
    Record<'approvalBy' | 'honourUntil' | 'captureUntil' | 'settlesAt', string | null>
  >;
  readonly warning: string | null;
  readonly reason: string | null;
  readonly allowedActions: readonly string[];
  /** The provider's ids of its holds, oldest first. */
  readonly authorizations: readonly string[];
}

export interface RefundView {
  readonly id: string;
  readonly paymentId: string;
  readonly kind: string;
  readonly origin: string;
  readonly providerRefundId: string | null;
  readonly amount: { value: string; currency: string } | null;
  readonly state: string;
  readonly captureId: string | null;
  readonly refundedAt: string | null;
  readonly reason: string | null;
  readonly timeline: readonly { event: string; from: string; to: string }[];
}

export interface Reply<T = PaymentView> {
  readonly status: number;
  readonly body: T;
}

/** An order service, over nothing but HTTP. */
export class OrderService {
  constructor(
    private readonly apiUrl: string,
    private readonly apiKey: string,
  ) {}

  async order(order: Record<string, unknown> = {}, key: string = randomUUID()): Promise<Reply> {
    return await this.post('/v1/payments', key, {
      orderId: `order-${key.slice(0, 8)}`,
      intent: 'authorize',
      amount: { value: '100.00', currency: 'USD' },
      description: 'A test',
      returnUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/cart',
      ...order,
    });
  }

  async capture<T = { capture: { id: string; state: string }; payment: PaymentView }>(
    id: string,
    body: { amount?: { value: string; currency: string }; final?: boolean } = {},
    key: string = randomUUID(),
  ): Promise<Reply<T>> {
    return await this.post<T>(`/v1/payments/${id}/captures`, key, body);
  }

  async refund<T = RefundView>(
    id: string,
    body: Record<string, unknown> = {},
    key: string = randomUUID(),
  ): Promise<Reply<T>> {
    return await this.post<T>(`/v1/payments/${id}/refunds`, key, body);
  }

  async void(id: string, key: string = randomUUID()): Promise<Reply> {
    return await this.post(`/v1/payments/${id}/void`, key, {});
  }

  async release<T = PaymentView>(id: string, key: string = randomUUID()): Promise<Reply<T>> {
    return await this.post<T>(`/v1/payments/${id}/release`, key, {});
  }

  async cancel<T = PaymentView>(id: string, key: string = randomUUID()): Promise<Reply<T>> {
    return await this.post<T>(`/v1/payments/${id}/cancel`, key, {});
  }

  async reauthorize<T = PaymentView>(
    id: string,
    body: { amount?: { value: string; currency: string } } = {},
    key: string = randomUUID(),
  ): Promise<Reply<T>> {
    return await this.post<T>(`/v1/payments/${id}/reauthorize`, key, body);
  }

  async decide(id: string, decision: Record<string, unknown>, key: string = randomUUID()): Promise<Reply> {
    return await this.post(`/v1/payments/${id}/review/decision`, key, decision);
  }

  /** The evidence that an operator reads before deciding. */
  async review<T>(id: string): Promise<T> {
    return await this.read(`/v1/payments/${id}/review`);
  }

  async get(id: string): Promise<PaymentView> {
    return await this.read(`/v1/payments/${id}`);
  }

  async read<T>(path: string): Promise<T> {
    const response = await fetch(this.apiUrl + path, { headers: this.headers() });
    return (await this.documented('GET', path, response)) as T;
  }

  /** Waits until the payment has reached a state, by looking; fails with the state it got stuck in. */
  async reaches(id: string, ...states: string[]): Promise<PaymentView> {
    return await until(
      () => this.get(id),
      (payment) => states.includes(payment.state),
      `payment ${id} to be ${states.join(' or ')}`,
    );
  }

  /** Plays the browser: follows the provider's redirect to the engine's return route, not to the shop. */
  async comeBack(redirectUrl: string): Promise<{ status: number; location: string | null }> {
    const response = await fetch(redirectUrl, { redirect: 'manual' });
    return { status: response.status, location: response.headers.get('location') };
  }

  async post<T = PaymentView>(path: string, key: string, body: unknown): Promise<Reply<T>> {
    const response = await fetch(this.apiUrl + path, {
      method: 'POST',
      headers: { ...this.headers(), 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await this.documented('POST', path, response)) as T };
  }

  /** The body of an answer, which the API's document must allow. */
  private async documented(method: string, path: string, response: Response): Promise<unknown> {
    const { status, headers } = response;
    const text = await response.text();
    await assertDocumented(this.apiUrl, { method, path, status, headers, text });
    return JSON.parse(text) as unknown;
  }

  private headers() {
    return { authorization: `Bearer ${this.apiKey}` };
  }
}
