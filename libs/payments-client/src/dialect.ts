/**
 * Which spelling to send if the specification and the public API differ; answers are understood in both. `interface`:
 * exactly the payments service interface. `paypal-v1`: the public API.
 */
export type DialectName = 'interface' | 'paypal-v1';

export interface Dialect {
  /** `payer.payment_method` of a wallet payment; the specification (2.1) does not define the value. */
  readonly walletPaymentMethod: string;
  /** The path of a past event, for reading and resending it. */
  readonly eventPath: string;
  readonly planTypes: Readonly<Record<'fixed' | 'infinite', string>>;
  /** Names of two of a plan's merchant preferences. */
  readonly autoBillAmount: string;
  readonly initialAmountFailAction: string;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  interface: {
    walletPaymentMethod: 'wallet',
    // With one i missing, as in section 4 and in the links of its events.
    eventPath: '/v1/notfications/webhooks-events',
    // Section 2.5 names only `fixed`; `infinite` follows its spelling.
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
