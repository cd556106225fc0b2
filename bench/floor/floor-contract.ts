/** An order as the bare run gets it. */
export interface FloorOrder {
  readonly paymentId: string;
  /** Decimal string and ISO 4217 code. */
  readonly amount: { readonly value: string; readonly currency: string };
  readonly returnUrl: string;
  readonly cancelUrl: string;
}

export interface CreatedPayment {
  readonly providerPaymentId: string;
  readonly approvalUrl: string;
}

export interface FloorActivities {
  createPayment(order: FloorOrder): Promise<CreatedPayment>;
  /** @returns the authorization's id */
  executePayment(order: FloorOrder, providerPaymentId: string, payerId: string): Promise<string>;
  /** @returns the capture's id */
  captureAuthorization(order: FloorOrder, authorizationId: string): Promise<string>;
}

export const floorTaskQueue = 'bench-floor';
