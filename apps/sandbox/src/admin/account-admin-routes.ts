import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { AccountRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import { accountChangeRequest, accountListQuery, newAccountRequest } from './account-request.js';

/** Creates, changes and lists the accounts between which this service moves money. */
export function addAccountAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  admin.post('/admin/accounts', async (request, reply) => {
    const account = checked(newAccountRequest, request.body);
    const created = await context.accounts.create({ ...account, created_at: new Date() });
    return reply.code(201).send(describeAccount(created));
  });

  admin.get('/admin/accounts', async (request) => {
    const query = checked(accountListQuery, request.query);
    const rows = await listAccounts(context.database, query);
    const page = rows.slice(0, query.limit);
    return {
      accounts: page.map(describeAccount),
      ...(rows.length > query.limit && { next: page.at(-1)?.id }),
    };
  });

  admin.patch<{ Params: { id: string } }>('/admin/accounts/:id', async (request) => {
    const change = checked(accountChangeRequest, request.body);
    return describeAccount(await context.accounts.update(checkedId(request.params.id), change));
  });
}

/** Oldest first, and one more than asked for when there are more. */
async function listAccounts(
  database: Kysely<Tables>,
  query: z.output<typeof accountListQuery>,
): Promise<AccountRow[]> {
  let accounts = database.selectFrom('accounts').selectAll();
  if (query.environment !== undefined) accounts = accounts.where('environment', '=', query.environment);
  if (query.kind !== undefined) accounts = accounts.where('kind', '=', query.kind);
  if (query.after !== undefined) {
    const last = await database
      .selectFrom('accounts')
      .select('created_at')
      .where('id', '=', query.after)
      .executeTakeFirst();
    if (last === undefined) throw ApiError.invalid('after', 'No such account');
    accounts = accounts.where(sql<boolean>`(created_at, id) > (${last.created_at}, ${query.after})`);
  }
  return accounts
    .orderBy('created_at')
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
}

function describeAccount(account: AccountRow): object {
  return {
    id: account.id,
    environment: account.environment,
    kind: account.kind,
    email: account.email,
    firstName: account.first_name,
    lastName: account.last_name,
    businessName: account.business_name,
    countryCode: account.country_code,
    fundingDeclines: account.funding_declines,
    createdAt: account.created_at.toISOString(),
  };
}
