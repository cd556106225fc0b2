import type { Insertable, Kysely, Updateable } from 'kysely';
import type { AccountRow, Environment, PayerInfo, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { accountIdOf } from '../http/identifiers.js';
import { DEFAULT_PAYERS } from './default-payers.js';

export type NewAccount = Omit<Insertable<Tables['accounts']>, 'id'> & { id?: string; email: string };
export type AccountChange = Omit<
  Updateable<Tables['accounts']>,
  'id' | 'environment' | 'kind' | 'created_at'
>;

/**
 * The accounts of payers, payees and applications. They are kept in memory as well, so that a payee, and each of 15,000
 * receivers, is found without a query: this process is the only writer of its database.
 */
export class Accounts {
  readonly #byId = new Map<string, AccountRow>();
  readonly #idByEmail = new Map<string, string>();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Kysely<Tables>) {}

  async load(): Promise<void> {
    const rows = await this.database.selectFrom('accounts').selectAll().execute();
    for (const row of rows) this.#remember(row);
  }

  /** The same e-mail address names the same account of an environment, known or not. */
  idOfEmail(environment: Environment, email: string): string {
    return this.#idByEmail.get(keyOf(environment, email)) ?? this.#freeId(environment, email);
  }

  /** The account for a name that is no e-mail address and has no account; the same one each time. */
  idOfUnknownAccount(environment: Environment, name: string): string {
    return this.#freeId(environment, name);
  }

  /** The environment of the account; undefined when no account has this id. */
  environmentOf(accountId: string): Environment | undefined {
    return this.#byId.get(accountId)?.environment;
  }

  /** The name of a shop; undefined where its account has none. */
  businessNameOf(accountId: string): string | undefined {
    return this.#byId.get(accountId)?.business_name ?? undefined;
  }

  /** The account that pays by default. */
  defaultPayer(environment: Environment): AccountRow {
    const payer = this.#byId.get(DEFAULT_PAYERS[environment]);
    if (payer === undefined) throw new Error('The default payer is missing from the database');
    return payer;
  }

  findPayer(environment: Environment, accountId: string): Promise<AccountRow | undefined> {
    return this.#payers(environment).where('id', '=', accountId).executeTakeFirst();
  }

  /** The accounts that can be chosen to pay, the default first; no more than a page can show. */
  async listPayers(environment: Environment): Promise<AccountRow[]> {
    const rows = await this.#payers(environment).orderBy('created_at').orderBy('id').limit(200).execute();
    const isDefault = ({ id }: AccountRow) => id === DEFAULT_PAYERS[environment];
    return [...rows.filter(isDefault), ...rows.filter((row) => !isDefault(row))];
  }

  /** @throws ApiError VALIDATION_ERROR when another account has the id or, in the environment, the e-mail address. */
  create(account: NewAccount): Promise<AccountRow> {
    return this.#inTurn(async () => {
      const id = account.id ?? this.#freeId(account.environment, account.email);
      return this.database
        .insertInto('accounts')
        .values({ ...account, id })
        .returningAll()
        .executeTakeFirstOrThrow()
        .catch((error: unknown) => refuseDuplicate(error, account.id !== undefined));
    });
  }

  /** @throws ApiError VALIDATION_ERROR as `create`; INVALID_RESOURCE_ID when no account has the id. */
  update(accountId: string, change: AccountChange): Promise<AccountRow> {
    return this.#inTurn(async () => {
      const row = await this.database
        .updateTable('accounts')
        .set(change)
        .where('id', '=', accountId)
        .returningAll()
        .executeTakeFirst()
        .catch((error: unknown) => refuseDuplicate(error, false));
      if (row === undefined) throw new ApiError('INVALID_RESOURCE_ID');
      return row;
    });
  }

  /** An account that an application was given; it may be new. */
  learn(row: AccountRow): void {
    // A cached row is at least as new: only `create` and `update` change an account.
    if (!this.#byId.has(row.id)) this.#remember(row);
  }

  #payers(environment: Environment) {
    return this.database
      .selectFrom('accounts')
      .selectAll()
      .where('environment', '=', environment)
      .where('kind', '=', 'personal');
  }

  /** Changes run one after the other, so that memory ends up with what the database has. */
  #inTurn(change: () => Promise<AccountRow>): Promise<AccountRow> {
    const changed = this.#lastChange.then(async () => {
      const row = await change();
      this.#remember(row);
      return row;
    });
    this.#lastChange = changed.catch(() => undefined);
    return changed;
  }

  /**
   * The first id derived from a name that no account has: an account that once had an address keeps its id, and gets
   * nothing that is sent to the address after it gave the address up.
   */
  #freeId(environment: Environment, name: string): string {
    let id = derivedId(environment, name, 0);
    for (let taken = 1; this.#byId.has(id); taken += 1) id = derivedId(environment, name, taken);
    return id;
  }

  #remember(row: AccountRow): void {
    const before = this.#byId.get(row.id);
    if (before?.email != null) this.#idByEmail.delete(keyOf(before.environment, before.email));
    this.#byId.set(row.id, row);
    if (row.email !== null) this.#idByEmail.set(keyOf(row.environment, row.email), row.id);
  }
}

/** A paying account as payments show it. */
export function payerInfoOf(account: AccountRow): PayerInfo {
  const { id, email, first_name, last_name, country_code } = account;
  return {
    payer_id: id,
    ...(email !== null && { email }),
    ...(first_name !== null && { first_name }),
    ...(last_name !== null && { last_name }),
    country_code,
  };
}

/**
 * No account is shared between environments: one name is an account in each. `taken`: how many of the name's ids others
 * have.
 */
function derivedId(environment: Environment, name: string, taken: number): string {
  if (taken > 0) return accountIdOf(`${keyOf(environment, name)} ${taken}`);
  return accountIdOf(environment === 'live' ? keyOf(environment, name) : name);
}

function keyOf(environment: Environment, name: string): string {
  return `${environment} ${name.toLowerCase()}`;
}

const UNIQUE_VIOLATION = '23505';

/** `isIdChosen`: otherwise the id is made from the e-mail address, and a taken id means a taken address. */
function refuseDuplicate(error: unknown, isIdChosen: boolean): never {
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code !== UNIQUE_VIOLATION) throw error;
  throw constraint === 'accounts_email' || !isIdChosen
    ? ApiError.invalid('email', 'Another account of the environment has it')
    : ApiError.invalid('id', 'Another account has it');
}
