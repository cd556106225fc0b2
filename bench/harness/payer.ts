import { Pool } from 'undici';
import type { OrderedPayment, PayerRedirect } from './contender.js';

/** The payer, who presses Approve on the provider's page without reading it. */
export class Payer {
  readonly #provider: Pool;

  constructor(providerOrigin: string) {
    this.#provider = new Pool(providerOrigin, { connections: 64 });
  }

  /** @returns where the provider sends the payer then; not opened. */
  async approve({ approvalUrl }: Pick<OrderedPayment, 'approvalUrl'>): Promise<PayerRedirect> {
    const token = new URL(approvalUrl).searchParams.get('token') ?? '';
    const answer = await this.#provider.request({
      method: 'POST',
      path: '/checkout/approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }).toString(),
    });
    await answer.body.dump();
    const address = String(answer.headers['location']);
    const { searchParams } = new URL(address);
    return {
      address,
      paymentId: searchParams.get('paymentId') ?? '',
      token,
      payerId: searchParams.get('PayerID') ?? '',
    };
  }

  close(): Promise<void> {
    return this.#provider.close();
  }
}
