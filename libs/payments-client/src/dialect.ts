/**
 * Which spelling to send where the specification and the public API differ; answers are understood in both.
 * `interface`: the payments service interface, to the letter. `paypal-v1`: the public API.
 */
export type DialectName = 'interface' | 'paypal-v1';

export interface Dialect {
  /** `payer.payment_method` of a wallet payment; the specification (2.1) leaves the word open. */
  readonly walletPaymentMethod: string;
  /** Of one past event, by which it is read and sent again. */
  readonly eventPath: string;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  // With one i missing, as section 4 has it and its events' own links.
  interface: { walletPaymentMethod: 'wallet', eventPath: '/v1/notfications/webhooks-events' },
  'paypal-v1': { walletPaymentMethod: 'paypal', eventPath: '/v1/notifications/webhooks-events' },
};
