/**
 * Which spelling to send where the specification and the public API differ; answers are understood in both.
 * `interface`: the payments service interface, to the letter. `paypal-v1`: the public API.
 */
export type DialectName = 'interface' | 'paypal-v1';

export interface Dialect {
  /** `payer.payment_method` of a wallet payment; the specification (2.1) leaves the word open. */
  readonly walletPaymentMethod: string;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  interface: { walletPaymentMethod: 'wallet' },
  'paypal-v1': { walletPaymentMethod: 'paypal' },
};
