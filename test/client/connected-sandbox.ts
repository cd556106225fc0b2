import { randomUUID } from 'node:crypto';
import {
  type Amount,
  type CreatePaymentRequest,
  PaymentsClient,
  type PaymentsClientOptions,
} from '#payments-client';
import { CLIENT_ID, CLIENT_SECRET, SandboxFixture } from '../sandbox/sandbox-fixture.js';

/** The real service, and clients of it that are closed with it. */
export class ConnectedSandbox {
  readonly #clients: PaymentsClient[] = [];

  private constructor(readonly service: SandboxFixture) {}

  static async start(): Promise<ConnectedSandbox> {
    return new ConnectedSandbox(await SandboxFixture.start());
  }

  connect(options: Partial<PaymentsClientOptions> = {}): PaymentsClient {
    const client = new PaymentsClient({
      baseUrl: this.service.url,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      retry: { baseDelayMs: 5, maxDelayMs: 20 },
      ...options,
    });
    this.#clients.push(client);
    return client;
  }

  /** A payment whose funds are held, made through the client. */
  async authorize(client: PaymentsClient, amount?: Amount) {
    const { id: paymentId } = await client.payments.create(order(amount), key());
    await this.service.approve(paymentId);
    const { payerId } = await client.payments.get(paymentId);
    const executed = await client.payments.execute(paymentId, { payerId: payerId ?? '' }, key());
    return { paymentId, authorizationId: executed.transactions[0]?.authorizationId ?? '' };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.service.stop();
  }
}

export const usd = (value: string): Amount => ({ value, currency: 'USD' });

export const key = () => ({ requestId: randomUUID() });

export function order(amount = usd('10.60'), invoiceNumber: string = randomUUID()): CreatePaymentRequest {
  return {
    intent: 'authorize',
    returnUrl: 'https://shop.example/return',
    cancelUrl: 'https://shop.example/cancel',
    transactions: [{ amount, invoiceNumber, custom: 'custom', payeeEmail: 'payee@shop.example' }],
  };
}

export const captureOf = (value: string, isFinalCapture = true, invoiceNumber: string = randomUUID()) => ({
  amount: usd(value),
  isFinalCapture,
  invoiceNumber,
});
