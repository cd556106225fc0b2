const named = (prefix: string, names: string): string[] =>
  names.split(' ').map((name) => `${prefix}.${name}`);

/** Where the specification is silent: the public names (provider facts, "Webhook deliveries"). */
export const DOCUMENTED_EVENTS = [
  ...named('PAYMENT.AUTHORIZATION', 'CREATED VOIDED'),
  ...named('PAYMENT.CAPTURE', 'COMPLETED PENDING DENIED REFUNDED REVERSED'),
  ...named('PAYMENT.SALE', 'COMPLETED PENDING DENIED REFUNDED REVERSED'),
  ...named('PAYMENT.PAYOUTSBATCH', 'PROCESSING SUCCESS DENIED'),
  ...named(
    'PAYMENT.PAYOUTS-ITEM',
    'BLOCKED CANCELED DENIED FAILED HELD REFUNDED RETURNED SUCCEEDED UNCLAIMED',
  ),
  ...named('BILLING.PLAN', 'CREATED UPDATED ACTIVATED DEACTIVATED'),
  ...named(
    'BILLING.SUBSCRIPTION',
    'CREATED ACTIVATED UPDATED SUSPENDED RE-ACTIVATED CANCELLED EXPIRED PAYMENT.FAILED',
  ),
];
