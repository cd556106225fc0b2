import { Client } from 'pg';
import { expect } from 'vitest';
import { startSandbox, type RunningSandbox } from '#sandbox/sandbox.js';
import type { SandboxConfig } from '#sandbox/configuration.js';
import { createSandboxDatabase, type TestDatabase } from '../helpers/database.js';

/** An answer as a client sees it; bodies are read loosely, because tests say themselves what must be in them. */
export interface Answer {
  status: number;
  headers: Headers;
  // eslint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Movement {
  id: number;
  kind: string;
  amountMinor: number;
  authorizationId: string | null;
  captureId: string | null;
  requestId: string | null;
  invoiceNumber: string | null;
  custom: string | null;
  createdAt: string;
}

export const CLIENT_ID = 'shop';
export const CLIENT_SECRET = 'shop-secret';
export const PAYER_ID = 'SANDBOXPAYER1';

type Headers_ = Record<string, string>;

/** One payments service on a database of its own, and the calls that tests make to it over sockets. */
export class SandboxFixture {
  #sandbox: RunningSandbox;
  #token: string | undefined;

  private constructor(
    readonly database: TestDatabase,
    private readonly config: SandboxConfig,
    sandbox: RunningSandbox,
  ) {
    this.#sandbox = sandbox;
  }

  static async start(overrides: Partial<SandboxConfig> = {}): Promise<SandboxFixture> {
    const database = await createSandboxDatabase();
    const config: SandboxConfig = {
      databaseUrl: database.url,
      port: 0,
      defaultApplication: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
      databasePoolSize: 8,
      logLevel: 'silent',
      ...overrides,
    };
    return new SandboxFixture(database, config, await startSandbox(config));
  }

  get url(): string {
    return this.#sandbox.url;
  }

  async stop(): Promise<void> {
    await this.#sandbox.close();
    await this.database.drop();
  }

  /** The same database and the same port under a new process's memory. */
  async restart(overrides: Partial<SandboxConfig> = {}): Promise<void> {
    const port = Number(new URL(this.url).port);
    await this.#sandbox.close();
    this.#sandbox = await startSandbox({ ...this.config, ...overrides, port });
  }

  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: Headers_ = {},
    signal: AbortSignal | null = null,
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      signal,
      redirect: 'manual',
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
  }

  /** A call with the default application's access token. */
  async call(method: string, path: string, body?: unknown, headers: Headers_ = {}): Promise<Answer> {
    this.#token ??= await this.newToken();
    return this.request(method, path, body, { authorization: `Bearer ${this.#token}`, ...headers });
  }

  async newToken(clientId = CLIENT_ID, clientSecret = CLIENT_SECRET): Promise<string> {
    const answer = await this.exchange(clientId, clientSecret);
    if (answer.status !== 200) throw new Error(`No token: ${answer.status}`);
    return answer.body.access_token;
  }

  exchange(clientId: string, clientSecret: string, form = 'grant_type=client_credentials'): Promise<Answer> {
    return this.request('POST', '/v1/oauth2/token', form, {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    });
  }

  async configure(settings: object): Promise<void> {
    const answer = await this.request('PUT', `/admin/applications/${CLIENT_ID}`, {
      clientSecret: CLIENT_SECRET,
      ...settings,
    });
    if (answer.status !== 200) throw new Error(`Settings refused: ${JSON.stringify(answer.body)}`);
  }

  async switchOnFault(fault: object): Promise<void> {
    const answer = await this.request('POST', '/admin/faults', fault);
    if (answer.status !== 201) throw new Error(`Fault refused: ${JSON.stringify(answer.body)}`);
  }

  async createPayment(changes: PaymentChanges = {}): Promise<Answer> {
    return this.call('POST', '/v1/payments/payment', paymentBody(changes));
  }

  async approve(paymentId: string): Promise<Answer> {
    return this.request('POST', `/admin/payments/${paymentId}/approve`);
  }

  execute(paymentId: string, headers: Headers_ = {}): Promise<Answer> {
    return this.call('POST', `/v1/payments/payment/${paymentId}/execute`, { payer_id: PAYER_ID }, headers);
  }

  /** A payment whose funds are held. */
  async authorized(changes: PaymentChanges = {}): Promise<{ paymentId: string; authorizationId: string }> {
    const created = await this.createPayment(changes);
    const paymentId: string = created.body.id;
    await this.approve(paymentId);
    const executed = created.body.state === 'approved' ? created : await this.execute(paymentId);
    return {
      paymentId,
      authorizationId: executed.body.transactions[0].related_resources[0].authorization.id,
    };
  }

  capture(
    authorizationId: string,
    total: string,
    more: object = {},
    headers: Headers_ = {},
  ): Promise<Answer> {
    const body = { amount: { total, currency: 'USD' }, ...more };
    return this.call('POST', `/v1/payments/authorization/${authorizationId}/capture`, body, headers);
  }

  void(authorizationId: string, headers: Headers_ = {}): Promise<Answer> {
    return this.call('POST', `/v1/payments/authorization/${authorizationId}/void`, {}, headers);
  }

  async authorization(authorizationId: string): Promise<Answer['body']> {
    return (await this.call('GET', `/v1/payments/authorization/${authorizationId}`)).body;
  }

  async movements(paymentId: string): Promise<Movement[]> {
    return (await this.request('GET', `/admin/books/movements?payment=${paymentId}`)).body.movements;
  }

  /** `hold 1000`, `capture 400`, … in the order of booking. */
  async booksOf(paymentId: string): Promise<string[]> {
    return (await this.movements(paymentId)).map(({ kind, amountMinor }) => `${kind} ${amountMinor}`);
  }

  /** A call whose caller hangs up as soon as the service works on it. */
  async abandon(path: string, body: unknown): Promise<void> {
    const leave = new AbortController();
    const authorization = `Bearer ${await this.newToken()}`;
    const call = this.request('POST', path, body, { authorization }, leave.signal).catch(() => 'left');
    const inFlight = async () => (await this.request('GET', '/admin/calls?inflight=true')).body.calls;
    await eventually(inFlight).toHaveLength(1);
    leave.abort();
    expect(await call).toBe('left');
  }

  /** Straight to the service's database: what its API does not let a test see or do. */
  async sql(statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async violations(): Promise<unknown[]> {
    return (await this.request('GET', '/admin/books/check')).body.violations;
  }
}

export interface PaymentChanges {
  intent?: string;
  total?: string;
  currency?: string;
  transaction?: object;
  payment?: object;
}

/** Awaits an effect however long a busy machine takes over it: looks until the assertion holds. */
export function eventually<Seen>(look: () => Seen) {
  return expect.poll(look, { interval: 25 });
}

/** A valid payment request, with what a test changes in it. */
export function paymentBody({ intent, total, currency, transaction, payment }: PaymentChanges = {}): object {
  return {
    intent: intent ?? 'authorize',
    payer: { payment_method: 'wallet' },
    redirect_urls: {
      return_url: 'http://127.0.0.1:9/return?order=7',
      cancel_url: 'http://127.0.0.1:9/cancel',
    },
    transactions: [{ amount: { total: total ?? '100.00', currency: currency ?? 'USD' }, ...transaction }],
    ...payment,
  };
}
