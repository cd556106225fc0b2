/** An order as the run gets it. */
export interface NaiveOrder {
  readonly paymentId: string;
  readonly orderId: string;
  /** Decimal string and ISO 4217 code. */
  readonly amount: { readonly value: string; readonly currency: string };
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

/** What a call to the provider yielded, as far as the rows want it. */
export interface ProviderCall {
  readonly resource: {
    readonly kind: 'payment' | 'authorization' | 'capture';
    readonly id: string;
    /** Of a payment only: where the payer approves. */
    readonly approvalUrl?: string;
  };
  readonly call: {
    readonly operation: string;
    readonly path: string;
    /** Milliseconds since the epoch. */
    readonly startedAt: number;
    readonly durationMs: number;
  };
}

export interface RowChange extends Partial<ProviderCall> {
  readonly status: 'awaiting_approval' | 'authorized' | 'captured' | 'voided' | 'cancelled' | 'expired';
  readonly event: string;
}

export interface NaiveActivities {
  createPayment(order: NaiveOrder): Promise<ProviderCall>;
  executePayment(order: NaiveOrder, providerPaymentId: string, payerId: string): Promise<ProviderCall>;
  captureAuthorization(order: NaiveOrder, authorizationId: string): Promise<ProviderCall>;
  voidAuthorization(order: NaiveOrder, authorizationId: string): Promise<ProviderCall>;
  writeRows(order: NaiveOrder, change: RowChange): Promise<void>;
}

export const naiveTaskQueue = 'bench-naive';
