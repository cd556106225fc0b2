/** Everything of a payment, an agreement or a batch belongs to it; each rule is a query that finds its violations. */
export const BELONGING_RULES: Readonly<Record<string, string>> = {
  'a sale has the application, the currency, the payer and the payee of its payment or agreement': `
    SELECT sales.id AS subject FROM sales
    LEFT JOIN (
      SELECT id, client_id, currency, payer_id, payee_id FROM payments
      UNION ALL
      SELECT id, client_id, terms ->> 'currency', payer_id, payee_id FROM billing_agreements WHERE id IS NOT NULL
    ) AS owner ON owner.id = coalesce(sales.payment_id, sales.billing_agreement_id)
    WHERE (sales.client_id, sales.currency, sales.payer_id, sales.payee_id)
      IS DISTINCT FROM (owner.client_id, owner.currency, owner.payer_id, owner.payee_id)`,
  'an authorization has the application and the currency of its payment': `
    SELECT authorizations.id AS subject FROM authorizations
    LEFT JOIN payments ON payments.id = authorizations.payment_id
    WHERE (authorizations.client_id, authorizations.currency)
      IS DISTINCT FROM (payments.client_id, payments.currency)`,
  'a capture has the payment, the application and the currency of its authorization': `
    SELECT captures.id AS subject FROM captures
    LEFT JOIN authorizations AS owner ON owner.id = captures.authorization_id
    WHERE (captures.payment_id, captures.client_id, captures.currency)
      IS DISTINCT FROM (owner.payment_id, owner.client_id, owner.currency)`,
  'a refund has the payment, the application and the currency of its sale or capture': `
    SELECT refunds.id AS subject FROM refunds
    LEFT JOIN (
      SELECT id, payment_id, client_id, currency FROM sales
      UNION ALL SELECT id, payment_id, client_id, currency FROM captures
    ) AS owner ON owner.id = coalesce(refunds.sale_id, refunds.capture_id)
    WHERE (refunds.payment_id, refunds.client_id, refunds.currency)
      IS DISTINCT FROM (owner.payment_id, owner.client_id, owner.currency)`,
  'a payout item has the application and the currency of its batch': `
    SELECT item.id AS subject FROM payout_items AS item
    LEFT JOIN payout_batches AS batch ON batch.id = item.batch_id
    WHERE (item.client_id, item.currency) IS DISTINCT FROM (batch.client_id, batch.currency)`,
};
