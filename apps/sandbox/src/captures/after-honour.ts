import { isFundingDeclined } from '../accounts/funding.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { AuthorizationRow, PaymentRow } from '../database/tables.js';

/**
 * Whether a capture fails because the money is no longer guaranteed: only the honour period promises it
 * (provider-facts, "Authorizations"). The application's setting says how often.
 */
export async function isLostAfterHonour(
  { transaction, now, application }: UnitOfWork,
  { honored_until }: Pick<AuthorizationRow, 'honored_until'>,
  { payer_id }: Pick<PaymentRow, 'payer_id'>,
): Promise<boolean> {
  if (now < honored_until) return false;
  const { captureAfterHonour, captureAfterHonourChance } = application.settings;
  switch (captureAfterHonour) {
    case 'always':
      return false;
    case 'by_balance':
      return await isFundingDeclined(transaction, payer_id, null);
    case 'by_chance':
      return Math.random() >= captureAfterHonourChance;
    case 'never':
      return true;
  }
}
