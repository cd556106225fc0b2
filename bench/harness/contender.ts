/** A payment as a contender's answer to an order names it. */
export interface OrderedPayment {
  readonly workflowId: string;
  /** The contender's own id. */
  readonly paymentId: string;
  /** Where the provider lets the payer approve. */
  readonly approvalUrl: string;
}

/**
 * One way to carry a payment from order to captured. All are driven alike: three requests, each of which is answered
 * when what it asked for is done at the provider and, where there are rows, written.
 */
export interface Contender {
  readonly name: ContenderName;
  /** Creates the payment at the provider. */
  order(): Promise<OrderedPayment>;
  /** The payer is back from approving; answered once the funds are held. */
  payerReturned(payment: OrderedPayment, redirect: PayerRedirect): Promise<void>;
  /** Captures the whole; answered once it is captured. */
  capture(payment: OrderedPayment): Promise<void>;
  close(): Promise<void>;
}

export type ContenderName = 'ours' | 'oursOverHttp' | 'naive' | 'updates' | 'dbos' | 'floor';

/** The address to which the provider redirected the payer, and what it says there. */
export interface PayerRedirect {
  readonly address: string;
  /** The provider's id of the payment. */
  readonly paymentId: string;
  readonly token: string;
  readonly payerId: string;
}

export const orderedAmount = { value: '10.00', currency: 'USD' };

/** The payer's browser is sent there in the end; nobody opens it in the bench. */
export const shopUrls = {
  returnUrl: 'https://shop.example/paid',
  cancelUrl: 'https://shop.example/cancelled',
};
