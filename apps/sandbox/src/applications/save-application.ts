import { sql, type Transaction } from 'kysely';
import type { AccountRow, Environment, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { newAccountId, newAppId, sha256Hex } from '../http/identifiers.js';
import { applicationSettings, type ApplicationSettings } from '../settings/application-settings.js';
import { moveWebhooks } from './move-webhooks.js';

export interface ApplicationUpsert {
  clientSecret: string;
  name?: string | undefined;
  environment?: Environment | undefined;
  /** The account that owns the application; by default an account of its own. Webhooks are counted per account. */
  accountId?: string | undefined;
  /** Absent: an existing application keeps its settings. */
  settings?: ApplicationSettings | undefined;
}

/**
 * Creates or changes an application. An existing one may move to another account of its environment, together with its
 * webhooks; never to the other environment, because its open payments would move too.
 * @returns the account that owns it now.
 * @throws ApiError VALIDATION_ERROR when the account belongs to the other environment, or would have too many webhooks.
 */
export async function saveApplication(
  transaction: Transaction<Tables>,
  clientId: string,
  change: ApplicationUpsert,
  now: Date,
): Promise<AccountRow> {
  const present = await lockApplication(transaction, clientId);
  const account = await findOrAddAccount(transaction, change, present, now);
  refuseOtherEnvironment(change, account, present);
  if (present !== undefined && present.accountId !== account.id) {
    await moveWebhooks(transaction, clientId, account.id);
  }
  const settings = change.settings && JSON.stringify(change.settings);
  const secret_sha256 = sha256Hex(change.clientSecret);
  await transaction
    .insertInto('applications')
    .values({
      client_id: clientId,
      secret_sha256,
      name: change.name ?? clientId,
      app_id: newAppId(),
      account_id: account.id,
      settings: settings ?? JSON.stringify(applicationSettings.parse({})),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({
        secret_sha256,
        account_id: account.id,
        ...(change.name !== undefined && { name: change.name }),
        ...(settings !== undefined && { settings }),
      }),
    )
    .execute();
  return account;
}

interface Owner {
  accountId: string;
  environment: Environment;
}

/** Changes of one application, and creations of its webhooks, run one after the other. Its payments need not wait. */
async function lockApplication(
  transaction: Transaction<Tables>,
  clientId: string,
): Promise<Owner | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`application\n${clientId}`}, 0))`.execute(
    transaction,
  );
  return transaction
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select(['account_id as accountId', 'environment'])
    .where('client_id', '=', clientId)
    .forNoKeyUpdate('applications')
    .executeTakeFirst();
}

async function findOrAddAccount(
  transaction: Transaction<Tables>,
  change: ApplicationUpsert,
  present: Owner | undefined,
  now: Date,
): Promise<AccountRow> {
  const id = change.accountId ?? present?.accountId ?? newAccountId();
  const environment = change.environment ?? present?.environment ?? 'sandbox';
  await transaction
    .insertInto('accounts')
    .values({ id, environment, created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return transaction.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function refuseOtherEnvironment(
  change: ApplicationUpsert,
  account: AccountRow,
  present: Owner | undefined,
): void {
  if (present !== undefined && present.environment !== account.environment) {
    throw ApiError.invalid('accountId', 'An application stays in its environment');
  }
  if (change.environment !== undefined && change.environment !== account.environment) {
    throw ApiError.invalid('environment', 'The account belongs to the other environment');
  }
}
