import { randomUUID } from 'node:crypto';
import { CLIENT_ID, CLIENT_SECRET, PAYER_ID, paymentBody } from '../sandbox-fixture.js';

/** What became of one order, as its caller knows it. */
export interface Order {
  readonly paymentId: string;
  authorizationId?: string;
  /** Of the capture, under which the books know it. */
  readonly reference: string;
  /** Sent with a key and repeated until it was answered, or sent once and never again. */
  readonly isKeyed: boolean;
  capture: 'unsent' | 'unknown' | 'refused' | { id: string };
}

export interface Load {
  readonly orders: Order[];
  /** Every status that came, also of calls that were repeated. */
  readonly statuses: Map<number, number>;
  /** Ends the orders that are under way, then resolves. */
  stop(): Promise<void>;
}

/**
 * Orders, `lanes` at a time: created, approved, executed, captured with a reference of its own. The application honours
 * request ids on every call, so that a keyed call may be repeated until it is answered.
 */
export function startLoad(url: string, lanes: number): Load {
  const caller = new Caller(url);
  const orders: Order[] = [];
  const stopping = new AbortController();
  const lane = async (number: number) => {
    for (let count = 0; !stopping.signal.aborted; count += 1) {
      const isKeyed = (number + count) % 2 === 0;
      await playOrder(caller, isKeyed, (order) => orders.push(order));
    }
  };
  const ended = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const stop = async () => {
    stopping.abort();
    await ended;
  };
  return { orders, statuses: caller.statuses, stop };
}

async function playOrder(caller: Caller, isKeyed: boolean, begun: (order: Order) => void): Promise<void> {
  const reference = randomUUID();
  const created = await caller.untilAnswered('/v1/payments/payment', paymentBody());
  const order: Order = { paymentId: created.body.id, reference, isKeyed, capture: 'unsent' };
  begun(order);
  await caller.untilAnswered(`/admin/payments/${order.paymentId}/approve`, undefined, [409]);
  const executed = await caller.untilAnswered(`/v1/payments/payment/${order.paymentId}/execute`, {
    payer_id: PAYER_ID,
  });
  order.authorizationId = executed.body.transactions[0].related_resources[0].authorization.id;
  const path = `/v1/payments/authorization/${order.authorizationId}/capture`;
  const body = { amount: { total: '40.00', currency: 'USD' }, invoice_number: reference };
  const captured = isKeyed
    ? await caller.untilAnswered(path, body)
    : await caller.once(path, body).catch(() => undefined);
  if (captured === undefined || captured.status >= 500) order.capture = 'unknown';
  else order.capture = captured.status === 201 ? { id: captured.body.id } : 'refused';
}

interface CallerAnswer {
  status: number;
  // eslint-disable-next-line typescript/no-explicit-any
  body: any;
}

class Caller {
  readonly statuses = new Map<number, number>();
  #token: Promise<string> | undefined;

  constructor(private readonly url: string) {}

  /** Repeats under one key until a 2xx, or another answer that `alsoFine` names. */
  async untilAnswered(path: string, body: unknown, alsoFine: number[] = []): Promise<CallerAnswer> {
    const requestId = randomUUID();
    for (;;) {
      const answer = await this.once(path, body, requestId).catch(() => undefined);
      if (answer !== undefined && (answer.status < 300 || alsoFine.includes(answer.status))) return answer;
      if (answer !== undefined && answer.status < 500 && answer.status !== 409)
        throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async once(path: string, body: unknown, requestId?: string): Promise<CallerAnswer> {
    this.#token ??= this.#exchange();
    const token = await this.#token;
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(requestId !== undefined && { 'PayPal-Request-Id': requestId }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    return { status: response.status, body: JSON.parse(text) };
  }

  async #exchange(): Promise<string> {
    for (;;) {
      try {
        const response = await fetch(`${this.url}/v1/oauth2/token`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: 'grant_type=client_credentials',
        });
        const { access_token } = (await response.json()) as { access_token?: string };
        if (access_token !== undefined) return access_token;
      } catch {
        // It is down at this moment.
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
