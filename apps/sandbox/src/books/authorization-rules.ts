/** Rules about what is held; each rule is a query that finds its violations. */
export const AUTHORIZATION_RULES: Readonly<Record<string, string>> = {
  'nothing stays held by a closed authorization beyond what is pending': `
    SELECT authorizations.id AS subject FROM authorizations
    JOIN book_postings ON account = 'hold:' || authorizations.id
    WHERE state IN ('captured', 'denied', 'voided', 'expired')
    GROUP BY authorizations.id, pending_minor HAVING sum(book_postings.amount_minor) <> pending_minor`,
  // Held once, and once more for each reauthorization; a pending or denied one holds nothing.
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
  'an authorization reserves what its pending captures ask for': `
    SELECT authorizations.id AS subject FROM authorizations
    LEFT JOIN captures ON captures.authorization_id = authorizations.id AND captures.state = 'pending'
    GROUP BY authorizations.id
    HAVING coalesce(sum(captures.amount_minor), 0) <> authorizations.pending_minor`,
  'an authorization is closing while its final capture is pending': `
    SELECT authorizations.id AS subject FROM authorizations
    LEFT JOIN captures ON captures.authorization_id = authorizations.id AND captures.state = 'pending'
    GROUP BY authorizations.id
    HAVING closing <> (authorizations.state IN ('authorized', 'partially_captured')
      AND coalesce(bool_or(captures.is_final), false))`,
  // An open one has returned only what a reauthorization replaced; a closed one has nothing open.
  'an authorization is in the state that its amounts make': `
    SELECT id AS subject FROM authorizations
    WHERE NOT CASE
      WHEN state IN ('pending', 'denied') THEN captured_minor + pending_minor + released_minor + renewals = 0
      WHEN state = 'authorized' THEN captured_minor = 0 AND released_minor = renewed_minor
      WHEN state = 'partially_captured' THEN captured_minor > 0 AND released_minor = renewed_minor
        AND captured_minor + released_minor < amount_minor
      WHEN state = 'captured' THEN captured_minor > 0
        AND captured_minor + pending_minor + released_minor = amount_minor
      WHEN state = 'voided' THEN released_minor > renewed_minor
        AND captured_minor + pending_minor + released_minor = amount_minor
      ELSE captured_minor + pending_minor + released_minor = amount_minor END`,
  // Under all ids that it has been reauthorized under.
  'no more is captured, pending and held of a payment than 115 % of its amount': `
    SELECT payments.id AS subject FROM payments
    JOIN authorizations AS one ON one.payment_id = payments.id
    GROUP BY payments.id, payments.amount_minor
    HAVING sum(one.amount_minor - one.released_minor) > payments.amount_minor * 1.15`,
};
