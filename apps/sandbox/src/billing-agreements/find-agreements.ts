import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Links } from '../http/links.js';
import { describeAgreement } from './agreement-representation.js';
import { asExecuted, type ExecutedAgreement } from './agreement-rows.js';

/** @throws ApiError INVALID_RESOURCE_ID when the application has no such agreement; a token is not an id. */
export async function getAgreement(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  agreementId: string,
): Promise<object> {
  return describeAgreement(await findAgreement(database, clientId, agreementId), links);
}

export async function findAgreement(
  database: Kysely<Tables>,
  clientId: string,
  agreementId: string,
): Promise<ExecutedAgreement> {
  const agreement = await database
    .selectFrom('billing_agreements')
    .selectAll()
    .where('id', '=', agreementId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const present = agreement && asExecuted(agreement);
  if (present === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return present;
}
