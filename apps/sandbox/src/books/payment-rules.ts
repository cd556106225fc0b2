/** Rules about what a payment has; each rule is a query that finds its violations. */
export const PAYMENT_RULES: Readonly<Record<string, string>> = {
  // While an outcome is pending, a payment is in progress or already approved, as the application is configured; one
  // that was approved stays so when it is denied.
  'a payment has the sale or the authorizations that its intent and its state ask for': `
    SELECT payments.id AS subject FROM payments
    LEFT JOIN (
      SELECT payment_id, 'sale' AS intent, state FROM sales WHERE payment_id IS NOT NULL
      UNION ALL SELECT payment_id, 'authorize', state FROM authorizations
    ) AS made ON made.payment_id = payments.id
    GROUP BY payments.id
    HAVING bool_or(made.intent <> payments.intent)
      OR count(*) FILTER (WHERE made.intent = 'sale') > 1
      OR CASE payments.state
        WHEN 'created' THEN count(made.state) <> 0
        WHEN 'in_progress' THEN count(made.state) <> 1 OR bool_or(made.state <> 'pending')
        WHEN 'failed' THEN bool_or(made.state <> 'denied')
        ELSE count(made.state) = 0 END`,
  'a payment is of the amount of its sale': `
    SELECT payments.id AS subject FROM payments JOIN sales ON sales.payment_id = payments.id
    WHERE payments.amount_minor <> sales.amount_minor`,
  'a payment has one first authorization, of its amount': `
    SELECT payments.id AS subject FROM payments
    JOIN authorizations AS one ON one.payment_id = payments.id
    GROUP BY payments.id
    HAVING count(*) FILTER (WHERE one.parent_id IS NULL) <> 1
      OR bool_or(one.parent_id IS NULL AND one.renewals = 0 AND one.amount_minor <> payments.amount_minor)`,
};
