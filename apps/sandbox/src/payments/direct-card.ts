import type { UnitOfWork } from '../context/unit-of-work.js';
import { ApiError } from '../http/api-error.js';
import type { ReadCard } from './card-schema.js';

const CARD_FIELD = 'payer.funding_instruments[0].credit_card';

/**
 * Interface, section 1: direct card payments are restricted in some countries, here those of the application's setting.
 * @throws ApiError CREDIT_CARD_REFUSED for a card from such a country, or one whose issuer declines;
 * UNSUPPORTED_PAYEE_COUNTRY when the application's own account is there; EXPIRED_CREDIT_CARD.
 */
export async function refuseCard(unit: UnitOfWork, card: ReadCard): Promise<void> {
  const { cardRefusedCountries, cardExpiry } = unit.application.settings;
  const billingCountry = card.masked.billing_address?.country_code;
  if (billingCountry !== undefined && cardRefusedCountries.includes(billingCountry)) {
    const field = `${CARD_FIELD}.billing_address.country_code`;
    throw new ApiError('CREDIT_CARD_REFUSED', [{ field, issue: 'Cards from this country are refused' }]);
  }
  if (cardRefusedCountries.length > 0 && cardRefusedCountries.includes(await countryOfOwner(unit))) {
    const field = 'payer.payment_method';
    throw new ApiError('UNSUPPORTED_PAYEE_COUNTRY', [{ field, issue: 'Direct cards are refused here' }]);
  }
  if (cardExpiry === 'checked' && card.expiresAt <= unit.now) {
    const field = `${CARD_FIELD}.expire_year`;
    throw new ApiError('EXPIRED_CREDIT_CARD', [{ field, issue: 'The card is expired' }]);
  }
  if (card.isDeclinedNumber) throw new ApiError('CREDIT_CARD_REFUSED');
}

async function countryOfOwner({ transaction, application }: UnitOfWork): Promise<string> {
  const account = await transaction
    .selectFrom('accounts')
    .select('country_code')
    .where('id', '=', application.accountId)
    .executeTakeFirstOrThrow();
  return account.country_code;
}
