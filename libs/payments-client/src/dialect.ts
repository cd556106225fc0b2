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
  readonly planTypes: Readonly<Record<'fixed' | 'infinite', string>>;
  /** Names of two of a plan's merchant preferences. */
  readonly autoBillAmount: string;
  readonly initialAmountFailAction: string;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  interface: {
    walletPaymentMethod: 'wallet',
    // With one i missing, as section 4 has it and its events' own links.
    eventPath: '/v1/notfications/webhooks-events',
    // Section 2.5 states `fixed` alone; its counterpart follows its letters.
    planTypes: { fixed: 'fixed', infinite: 'infinite' },
    autoBillAmount: 'autobill_amount',
    initialAmountFailAction: 'initial_amount_fail_action',
  },
  'paypal-v1': {
    walletPaymentMethod: 'paypal',
    eventPath: '/v1/notifications/webhooks-events',
    planTypes: { fixed: 'FIXED', infinite: 'INFINITE' },
    autoBillAmount: 'auto_bill_amount',
    initialAmountFailAction: 'initial_fail_amount_action',
  },
};
