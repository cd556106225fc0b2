export interface Movement {
  readonly kind: 'hold' | 'capture' | 'release' | 'refund' | 'reversal' | 'sale' | 'payout';
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentId: string;
  readonly captureId: string | null;
  readonly custom: string | null;
  readonly requestId: string | null;
  readonly createdAt: string;
}

interface ProviderCall {
  /** The debug id that the caller was told. */
  readonly id: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly requestId: string | null;
  readonly transactionId: string | null;
}

interface Delivery {
  readonly id: number;
  readonly eventType: string;
  readonly resourceId: string;
  readonly state: 'pending' | 'delivered' | 'abandoned' | 'dropped';
  /** Null where no answer came. */
  readonly attempts: readonly { readonly status: number | null }[];
}

/** The other side's truth: books, faults and the payer, through the sandbox's admin API. */
export class SandboxAdmin {
  constructor(
    readonly url: string,
    readonly clientId: string,
    readonly clientSecret: string,
  ) {}

  /** The payer approves. @returns where the provider sends the payer's browser. */
  async approve(providerPaymentId: string): Promise<string> {
    return (await this.call<{ redirectUrl: string }>('POST', `/admin/payments/${providerPaymentId}/approve`))
      .redirectUrl;
  }

  async cancel(providerPaymentId: string): Promise<string> {
    return (await this.call<{ redirectUrl: string }>('POST', `/admin/payments/${providerPaymentId}/cancel`))
      .redirectUrl;
  }

  /** A refund by another client than the engine: the provider's dashboard. An amount of null gives all that is left. */
  async refundElsewhere(captureId: string, total: string | null = null, currency = 'USD'): Promise<string> {
    const body = total === null ? {} : { amount: { total, currency } };
    return (await this.call<{ id: string }>('POST', `/admin/captures/${captureId}/refund`, body)).id;
  }

  async refundSaleElsewhere(saleId: string, total: string, currency = 'USD'): Promise<void> {
    await this.call('POST', `/admin/sales/${saleId}/refund`, { amount: { total, currency } });
  }

  async chargeBackSale(saleId: string): Promise<void> {
    await this.call('POST', `/admin/sales/${saleId}/reverse`, {});
  }

  /** The payer's bank takes back a part, or all that is left. */
  async chargeBack(captureId: string, total: string | null = null, currency = 'USD'): Promise<void> {
    const body = total === null ? {} : { amount: { total, currency } };
    await this.call('POST', `/admin/captures/${captureId}/reverse`, body);
  }

  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.call('POST', '/admin/faults', fault);
  }

  /** How often each of the faults that were switched on has been met. */
  async faultsMet(): Promise<number[]> {
    const { faults } = await this.call<{ faults: { matches: number }[] }>('GET', '/admin/faults');
    return faults.map(({ matches }) => matches);
  }

  async clearFaults(): Promise<void> {
    await this.call('DELETE', '/admin/faults');
  }

  /** Every token of the application stops working at once. */
  async revokeTokens(): Promise<void> {
    await this.call('DELETE', `/admin/applications/${this.clientId}/tokens`);
  }

  async configure(settings: Record<string, unknown>): Promise<void> {
    await this.call('PUT', `/admin/applications/${this.clientId}`, {
      clientSecret: this.clientSecret,
      ...settings,
    });
  }

  /** Movements of one of our payments, found by the reference that the engine sends along. */
  async movementsOf(paymentId: string): Promise<Movement[]> {
    return (await this.movements()).filter(({ custom }) => custom === paymentId);
  }

  /** Of all payments, the first thousand. */
  async movements(): Promise<Movement[]> {
    const path = `/admin/books/movements?clientId=${this.clientId}&limit=1000`;
    return (await this.call<{ movements: Movement[] }>('GET', path)).movements;
  }

  /** What became of the provider's deliveries, the newest first, five hundred at the most. */
  async deliveries(): Promise<Delivery[]> {
    const path = `/admin/deliveries?clientId=${this.clientId}&limit=500`;
    return (await this.call<{ deliveries: Delivery[] }>('GET', path)).deliveries;
  }

  /** `hold 100.00, capture 40.00` as `['hold 10000', 'capture 4000']`. */
  async booksOf(paymentId: string): Promise<string[]> {
    return (await this.movementsOf(paymentId)).map(({ kind, amountMinor }) => `${kind} ${amountMinor}`);
  }

  async booksAreSound(): Promise<boolean> {
    return (await this.call<{ ok: boolean }>('GET', '/admin/books/check')).ok;
  }

  async calls(query: string): Promise<ProviderCall[]> {
    return (await this.call<{ calls: ProviderCall[] }>('GET', `/admin/calls?${query}`)).calls;
  }

  /** Has the provider deliver an event again. */
  async resendEvent(eventId: string): Promise<void> {
    await this.postAsOwner(`/v1/notifications/webhooks-events/${eventId}/resend`, {});
  }

  /** A call to the provider's own API by the account's owner, of which the engine knows nothing. */
  async postAsOwner(path: string, body: object): Promise<void> {
    await this.callAsOwner('POST', path, body);
  }

  /** What the provider's own API says of a capture. */
  async stateOfCapture(captureId: string): Promise<string> {
    return (await this.callAsOwner<{ state: string }>('GET', `/v1/payments/capture/${captureId}`)).state;
  }

  /** @returns what it answers, undefined without a body. @throws unless it succeeds. */
  async callAsOwner<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T> {
    const basic = Buffer.from(`${this.clientId}:${this.clientSecret}`).toString('base64');
    const exchange = await fetch(`${this.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    const { access_token: token } = (await exchange.json()) as { access_token: string };
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  }
}
