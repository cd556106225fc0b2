import type { Kysely } from 'kysely';
import type { Accounts } from '../accounts/accounts.js';
import type { Environment, Tables } from '../database/tables.js';
import { readStoredSettings, type ApplicationSettings } from '../settings/application-settings.js';
import { saveApplication, type ApplicationUpsert } from './save-application.js';

export interface Application {
  readonly clientId: string;
  readonly secretSha256: string;
  readonly appId: string;
  readonly accountId: string;
  /** The environment of its account. */
  readonly environment: Environment;
  readonly settings: ApplicationSettings;
}

/**
 * The applications that may call. Kept in memory, because every call needs one: this process is the only writer of its
 * database.
 */
export class Applications {
  readonly #known = new Map<string, Application>();
  #changes = 0;

  constructor(
    private readonly database: Kysely<Tables>,
    private readonly accounts: Accounts,
  ) {}

  /** The application that owns a row: its foreign key ensures that there is one. */
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
      settings: readStoredSettings(row.settings),
    };
    // A row that was read before a change, which has committed meanwhile, must not stay in memory.
    if (changesBefore === this.#changes) this.#known.set(clientId, application);
    return application;
  }

  /** @throws ApiError VALIDATION_ERROR as `saveApplication`. */
  async upsert(clientId: string, change: ApplicationUpsert, now: Date): Promise<void> {
    try {
      const account = await this.database
        .transaction()
        .execute((transaction) => saveApplication(transaction, clientId, change, now));
      this.accounts.learn(account);
    } finally {
      // Even after a failure: perhaps only the answer to the commit was lost.
      this.#changes += 1;
      this.#known.delete(clientId);
    }
  }
}
