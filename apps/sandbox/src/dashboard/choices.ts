import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { html, type Html } from '../pages/html.js';

/** The newest; an older one stays chosen when the address names it. */
const MOST_OFFERED = 500;

export type Choice = readonly [value: string, text: string];

export async function applicationChoices(database: Kysely<Tables>): Promise<Choice[]> {
  const rows = await database
    .selectFrom('applications')
    .select(['client_id', 'name'])
    .orderBy('created_at', 'desc')
    .orderBy('client_id')
    .limit(MOST_OFFERED)
    .execute();
  return rows.map(({ client_id, name }) => [client_id, name === client_id ? name : `${client_id} (${name})`]);
}

/** Accounts that own applications: only those have a call history. */
export async function accountChoices(database: Kysely<Tables>): Promise<Choice[]> {
  const rows = await database
    .selectFrom('accounts')
    .select(['id', 'environment'])
    .where('id', 'in', (owner) => owner.selectFrom('applications').select('account_id'))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MOST_OFFERED)
    .execute();
  return rows.map(({ id, environment }) => [id, `${id} (${environment})`]);
}

/** The options of a select. A value that is not offered stays chosen, so that a form comes back as it was sent. */
export function options(choices: readonly Choice[], chosen: string): Html {
  const isOffered = choices.some(([value]) => value === chosen);
  const all = isOffered ? choices : [...choices, [chosen, chosen] as const];
  return html`${all.map(([value, text]) =>
    value === chosen
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`,
  )}`;
}
