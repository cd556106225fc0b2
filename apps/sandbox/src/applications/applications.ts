import type { Kysely, Transaction } from 'kysely';
import { ApiError } from '../http/api-error.js';
import { newAccountId, newAppId, sha256Hex } from '../http/identifiers.js';
import type { Environment, Tables } from '../database/tables.js';
import { applicationSettings, type ApplicationSettings } from './application-settings.js';

export interface Application {
  readonly clientId: string;
  readonly secretSha256: string;
  readonly appId: string;
  readonly accountId: string;
  /** That of its account. */
  readonly environment: Environment;
  readonly settings: ApplicationSettings;
}

export interface ApplicationUpsert {
  clientSecret: string;
  name?: string | undefined;
  environment?: Environment | undefined;
  /** The account that owns the application; one of its own when absent. Webhooks are counted per account. */
  accountId?: string | undefined;
  /** Absent: the settings of an application that exists stay as they are. */
  settings?: ApplicationSettings | undefined;
}

/**
 * The applications that may call. Kept in memory, because every call needs one: this process is the only writer of its
 * database.
 */
export class Applications {
  readonly #known = new Map<string, Application>();
  #changes = 0;

  constructor(private readonly database: Kysely<Tables>) {}

  /** The application that owns a row: there is one, by its foreign key. */
  async get(clientId: string): Promise<Application> {
    const application = await this.find(clientId);
    if (application === undefined) throw new Error('A row belongs to no application');
    return application;
  }

  async find(clientId: string): Promise<Application | undefined> {
    const known = this.#known.get(clientId);
    if (known !== undefined) return known;
    const changesBefore = this.#changes;
    const row = await this.database
      .selectFrom('applications')
      .innerJoin('accounts', 'accounts.id', 'applications.account_id')
      .select(['client_id', 'secret_sha256', 'app_id', 'account_id', 'environment', 'settings'])
      .where('client_id', '=', clientId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const application: Application = {
      clientId: row.client_id,
      secretSha256: row.secret_sha256,
      appId: row.app_id,
      accountId: row.account_id,
      environment: row.environment,
      settings: applicationSettings.parse(row.settings),
    };
    // A row read before a change that committed meanwhile must not outlive it in memory.
    if (changesBefore === this.#changes) this.#known.set(clientId, application);
    return application;
  }

  /** @throws ApiError VALIDATION_ERROR when the account belongs to the other environment. */
  async upsert(clientId: string, change: ApplicationUpsert, now: Date): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      const accountId = await chooseAccount(transaction, clientId, change, now);
      const settings = change.settings && JSON.stringify(change.settings);
      const secret_sha256 = sha256Hex(change.clientSecret);
      await transaction
        .insertInto('applications')
        .values({
          client_id: clientId,
          secret_sha256,
          name: change.name ?? clientId,
          app_id: newAppId(),
          account_id: accountId,
          settings: settings ?? JSON.stringify(applicationSettings.parse({})),
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict.column('client_id').doUpdateSet({
            secret_sha256,
            account_id: accountId,
            ...(change.name !== undefined && { name: change.name }),
            ...(settings !== undefined && { settings }),
          }),
        )
        .execute();
    });
    this.#changes += 1;
    this.#known.delete(clientId);
  }
}

async function chooseAccount(
  transaction: Transaction<Tables>,
  clientId: string,
  change: ApplicationUpsert,
  now: Date,
): Promise<string> {
  const present = await transaction
    .selectFrom('applications')
    .select('account_id')
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  const accountId = change.accountId ?? present?.account_id ?? newAccountId();
  await transaction
    .insertInto('accounts')
    .values({ id: accountId, environment: change.environment ?? 'sandbox', created_at: now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const account = await transaction
    .selectFrom('accounts')
    .select('environment')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (change.environment !== undefined && change.environment !== account.environment) {
    throw ApiError.invalid('environment', 'The account belongs to the other environment');
  }
  return accountId;
}
