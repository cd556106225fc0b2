/** Rules over what is held, each as the query of what breaks it. */
export const AUTHORIZATION_RULES: Readonly<Record<string, string>> = {
  'nothing stays held by a closed authorization beyond what is pending': `
    SELECT authorizations.id AS subject FROM authorizations
    JOIN book_postings ON account = 'hold:' || authorizations.id
    WHERE state IN ('captured', 'denied', 'voided', 'expired')
    GROUP BY authorizations.id, pending_minor HAVING sum(book_postings.amount_minor) <> pending_minor`,
  // Held once, and once more each time it was renewed; a pending or denied one holds nothing.
  'an authorization agrees with its holds, captures and releases': `
    SELECT authorizations.id AS subject FROM authorizations
    LEFT JOIN book_entries AS entry ON entry.authorization_id = authorizations.id
    GROUP BY authorizations.id
    HAVING coalesce(sum(entry.amount_minor) FILTER (WHERE kind = 'hold'), 0) <>
        CASE WHEN state IN ('pending', 'denied') THEN 0 ELSE authorizations.amount_minor END
      OR count(*) FILTER (WHERE kind = 'hold') <>
        CASE WHEN state IN ('pending', 'denied') THEN 0 ELSE 1 + renewals END
      OR coalesce(sum(entry.amount_minor) FILTER (WHERE kind = 'capture'), 0) <> captured_minor
      OR coalesce(sum(entry.amount_minor) FILTER (WHERE kind = 'release'), 0) <> released_minor`,
  'a payment has one open authorization at most': `
    SELECT payment_id AS subject FROM authorizations
    WHERE state IN ('pending', 'authorized', 'partially_captured')
    GROUP BY payment_id HAVING count(*) > 1`,
  'an authorization that another took the place of is closed': `
    SELECT parent.id AS subject FROM authorizations AS parent
    JOIN authorizations AS successor ON successor.parent_id = parent.id
    WHERE parent.state <> 'voided' OR parent.payment_id <> successor.payment_id`,
};
