import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';

/** Suggested, not required: any other can be typed. */
const MOST_OFFERED = 100;

type Choice = readonly [value: string, text: string];

export async function applicationChoices(database: Kysely<Tables>): Promise<Choice[]> {
  const rows = await database
    .selectFrom('applications')
    .select(['client_id', 'name'])
    .orderBy('created_at', 'desc')
    .limit(MOST_OFFERED)
    .execute();
  return rows.map(({ client_id, name }) => [client_id, name] as const);
}

/** Accounts that own applications: only those have a call history. */
export async function accountChoices(database: Kysely<Tables>): Promise<Choice[]> {
  const rows = await database
    .selectFrom('accounts')
    .select(['id', 'environment'])
    .where('id', 'in', (owner) => owner.selectFrom('applications').select('account_id'))
    .orderBy('created_at', 'desc')
    .limit(MOST_OFFERED)
    .execute();
  return rows.map(({ id, environment }) => [id, environment] as const);
}
