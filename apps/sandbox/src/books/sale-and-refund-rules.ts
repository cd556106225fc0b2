/** Rules over what was collected and what went back, each as the query of what breaks it. */
export const SALE_AND_REFUND_RULES: Readonly<Record<string, string>> = {
  'a completed sale is booked once, another one never': `
    SELECT sales.id AS subject FROM sales
    LEFT JOIN book_entries AS entry ON entry.sale_id = sales.id AND entry.kind = 'sale'
    GROUP BY sales.id
    HAVING count(entry) <> (state NOT IN ('pending', 'denied'))::integer
      OR max(entry.amount_minor) <> sales.amount_minor OR max(entry.currency) <> sales.currency`,
  'a completed capture is booked once, another one never': `
    SELECT captures.id AS subject FROM captures
    LEFT JOIN book_entries AS entry ON entry.capture_id = captures.id AND entry.kind = 'capture'
    GROUP BY captures.id
    HAVING count(entry) <> (state NOT IN ('pending', 'denied'))::integer
      OR max(entry.amount_minor) <> captures.amount_minor`,
};
