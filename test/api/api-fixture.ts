import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { expect, inject } from 'vitest';
import type { ApiConfig } from '#api/injected/api-config.js';
import { startApi } from '#api/api.js';
import { type Database, openDatabase } from '#database/connection';
import { writeTransition, paymentRecords } from '#database/transitions';
import { encryptingDataConverter } from '#payload-codec';
import { paymentWorkflowId } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { createEngineDatabase } from '../helpers/database.js';
import { assertDocumented } from '../helpers/documented-answer.js';
import { forAllTests } from '../helpers/shared.js';
import { connectToTemporal, temporalDeadlineMs } from '../helpers/temporal.js';
import { limitsOfTests, ratesOfTests } from '../helpers/limits-of-tests.js';

export const webhookSecret = randomBytes(24).toString('hex');
export const temporalUi = 'http://temporal-ui.example';
/** Nothing listens on the discard port. */
export const closedAddress = '127.0.0.1:9';

export const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
const shopKey = randomBytes(24).toString('hex');
const bookshopKey = randomBytes(24).toString('hex');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty unless JSON came. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Default: the key of application "shop"; null sends none. */
  readonly apiKey?: string | null;
  readonly idempotencyKey?: string;
}

export const order = {
  orderId: 'order-1',
  intent: 'authorize',
  amount: { value: '100.00', currency: 'USD' },
  returnUrl: 'https://shop.example/thanks?basket=7',
  cancelUrl: 'https://shop.example/cart',
};

/** The API alone, over sockets, on a database and a Temporal server that no worker polls. */
export class ApiFixture {
  private constructor(
    readonly url: string,
    readonly db: Database,
    readonly databaseUrl: string,
    private readonly closeAll: () => Promise<void>,
  ) {}

  static readonly shopKey = shopKey;
  /** Of another application, in the same environment. */
  static readonly bookshopKey = bookshopKey;

  static async start(overrides: Partial<ApiConfig> = {}): Promise<ApiFixture> {
    const database = overrides.databaseUrl === undefined ? await createEngineDatabase() : undefined;
    const databaseUrl = overrides.databaseUrl ?? database?.url ?? '';
    const api = await startApi({ ...configuration(databaseUrl), ...overrides });
    const db = openDatabase(databaseUrl, { poolSize: 3 });
    return new ApiFixture(api.url, db, databaseUrl, async () => {
      await api.close();
      await db.destroy();
      await database?.drop();
    });
  }

  async close(): Promise<void> {
    await this.closeAll();
  }

  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { body, headers = {}, apiKey = shopKey, idempotencyKey } = options;
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        ...headers,
      },
      ...(body !== undefined && { body: raw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { accept } = headers;
    const { status, headers: answered } = response;
    await assertDocumented(this.url, { method, path, accept, status, headers: answered, text });
    const isJson = answered.get('content-type')?.includes('json') === true;
    return {
      status,
      headers: answered,
      text,
      body: (isJson ? JSON.parse(text) : {}) as Answer['body'],
    };
  }

  async order(body: Record<string, unknown> = {}, idempotencyKey: string = randomUUID()): Promise<Answer> {
    return await this.call('POST', '/v1/payments', { body: { ...order, ...body }, idempotencyKey });
  }

  /** An ordered payment whose run nobody works on, its row moved on as its worker would have. */
  async paymentWith(state: Partial<PaymentState>): Promise<string> {
    const { body } = await this.order();
    const paymentId = String(body['id']);
    await this.moveTo(paymentId, state);
    return paymentId;
  }

  async moveTo(paymentId: string, change: Partial<PaymentState>, readBeganAt?: Date): Promise<void> {
    const row = await this.db
      .selectFrom('payments')
      .selectAll()
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow();
    const { openStep: _done, ...rest } = row.state;
    const state: PaymentState = { ...rest, ...change };
    await writeTransition(this.db, {
      records: paymentRecords,
      subject: row,
      state,
      version: row.version + 1,
      readBeganAt,
      timeline: [
        {
          version: row.version + 1,
          event: 'paymentCreated',
          kind: 'moved',
          from: row.status,
          to: state.status,
          at: Date.now(),
        },
      ],
    });
  }
}

export function configuration(databaseUrl: string): ApiConfig {
  const application = { environment: 'sandbox', baseUrl: 'http://127.0.0.1:9', clientId: 'id' } as const;
  const secrets = { clientSecret: 'secret', webhookSecret, webhookAuthentication: 'addressSecret' } as const;
  return {
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'https://payments.example',
    databaseUrl,
    temporal: temporalAt(inject('temporalAddress')),
    applications: [
      { ...application, ...secrets, application: 'shop' },
      { ...application, ...secrets, application: 'bookshop', webhookSecret: `${webhookSecret}-2` },
    ],
    apiKeys: [
      { id: 'shop', sha256: hash(shopKey), environment: 'sandbox', application: 'shop' },
      { id: 'bookshop', sha256: hash(bookshopKey), environment: 'sandbox', application: 'bookshop' },
    ],
    codecKeys,
    patience: {
      outcomeHorizonMs: 1_000,
      firstLookMs: 100,
      firstRetryMs: 100,
      firstPollMs: 1_000,
      longestPollMs: 1_000,
      maxAttempts: 3,
      reviewAfterMs: 5_000,
    },
    answerWithinMs: 100,
    payerWaitMs: 100,
    callerLimits: limitsOfTests,
    rateLimits: ratesOfTests,
    logLevel: 'silent',
  };
}

/** @param deadlineMs short where the address is one of nobody: a call to it waits for no more than that. */
export function temporalAt(
  address: string,
  deadlineMs: number = address === closedAddress ? 6_000 : temporalDeadlineMs,
): ApiConfig['temporal'] {
  return {
    address,
    namespace: 'default',
    taskQueue: 'nobody-works-here',
    uiUrl: temporalUi,
    deadlineMs,
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Looks into the runs as an operator would. */
export async function openTemporal(): Promise<Client> {
  const connection = await connectToTemporal();
  return new Client({ connection, dataConverter: encryptingDataConverter(codecKeys) });
}

/** The same for the tests of a file. */
export const useTemporal = (): Client => forAllTests(openTemporal, ({ connection }) => connection.close());

export function runIdOf(paymentId: string): string {
  return paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId });
}

/** The signal by which a run is told of an event, as `signalsOf` shows it. */
export function newsOf(eventId: string): string {
  return expect.stringMatching(`^providerNotified event:${eventId}:`) as string;
}

/** Names and message ids of the signals in a run's history. */
export async function signalsOf(temporal: Client, paymentId: string): Promise<string[]> {
  const { events } = await temporal.workflow.getHandle(runIdOf(paymentId)).fetchHistory();
  const signals = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal ? [signal] : [],
  );
  return await Promise.all(
    signals.map(async ({ signalName, input }) => {
      const { payloadCodecs } = temporal.options.loadedDataConverter;
      const [decoded] = await payloadCodecs[0]!.decode(input?.payloads ?? []);
      const message = JSON.parse(Buffer.from(decoded?.data ?? []).toString()) as { id: string };
      return `${signalName} ${message.id}`;
    }),
  );
}

export const hour = 3_600_000;

/** A hold of 100.00 USD, as the provider grants it. */
export function authorizedState(now = Date.now()): Partial<PaymentState> {
  return {
    status: 'authorized',
    providerPaymentId: `PAY-${randomUUID()}`,
    approvalToken: `EC-${randomUUID()}`,
    authorization: {
      authorizationId: `AUTH-${randomUUID()}`,
      minor: 10_000,
      createdAt: now - hour,
      validUntil: now - hour + 29 * 24 * hour,
    },
  };
}
