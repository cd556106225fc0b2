/** Rules about what billing agreements collect; each rule is a query that finds its violations. */
export const AGREEMENT_RULES: Readonly<Record<string, string>> = {
  'a payment of an agreement is a sale of that amount, a failed or free one is none': `
    SELECT payment.agreement_id AS subject FROM agreement_transactions AS payment
    LEFT JOIN sales ON sales.id = payment.sale_id
    WHERE payment.status IS NOT NULL AND (
      (sales.id IS NULL) <> (payment.amount_minor = 0 OR (payment.status = 'failed' AND payment.sale_id IS NULL))
      OR sales.amount_minor <> payment.amount_minor
      OR sales.billing_agreement_id <> payment.agreement_id
      OR (payment.status = 'failed' AND sales.state <> 'denied')
      OR (payment.status = 'completed' AND sales.state IN ('pending', 'denied')))`,
  'every sale of an agreement is one of its payments': `
    SELECT sales.id AS subject FROM sales
    LEFT JOIN agreement_transactions AS payment ON payment.sale_id = sales.id
    WHERE sales.billing_agreement_id IS NOT NULL
      AND payment.agreement_id IS DISTINCT FROM sales.billing_agreement_id`,
  'what was booked for an agreement is what its payments collected': `
    SELECT agreements.id AS subject FROM billing_agreements AS agreements
    WHERE agreements.id IS NOT NULL AND
      (SELECT coalesce(sum(amount_minor), 0) FROM book_entries
        WHERE agreement_id = agreements.id AND kind = 'sale')
      <> (SELECT coalesce(sum(payment.amount_minor), 0) FROM agreement_transactions AS payment
        LEFT JOIN sales ON sales.id = payment.sale_id
        WHERE payment.agreement_id = agreements.id AND (payment.status = 'completed'
          OR (payment.status = 'pending' AND sales.state NOT IN ('pending', 'denied'))))`,
  'an agreement owes what fell due and was neither collected nor waived': `
    SELECT agreements.id AS subject FROM billing_agreements AS agreements
    LEFT JOIN agreement_transactions AS one ON one.agreement_id = agreements.id
    WHERE agreements.id IS NOT NULL
    GROUP BY agreements.id, agreements.outstanding_minor
    HAVING agreements.outstanding_minor <> coalesce(sum(one.due_minor - one.waived_minor
      - CASE WHEN one.status IN ('completed', 'pending') THEN one.amount_minor ELSE 0 END), 0)`,
  'an agreement has charged each of its cycles once': `
    SELECT agreements.id AS subject FROM billing_agreements AS agreements
    LEFT JOIN agreement_transactions AS one ON one.agreement_id = agreements.id
    WHERE agreements.id IS NOT NULL
    GROUP BY agreements.id, agreements.cycles_done
    HAVING count(one.cycle) <> agreements.cycles_done
      OR coalesce(max(one.cycle), 0) <> agreements.cycles_done`,
};
