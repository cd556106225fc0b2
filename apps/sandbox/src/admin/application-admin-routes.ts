import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { checked, identifier } from '../http/validation.js';
import { applicationSettings } from '../settings/application-settings.js';

interface ByClientId {
  Params: { clientId: string };
}

const text = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^\0]*$/);

const applicationRequest = applicationSettings
  .extend({
    clientSecret: text,
    name: text.optional(),
    environment: z.enum(['sandbox', 'live']).optional(),
    accountId: identifier.optional(),
  })
  .strict();

export function addApplicationAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  const { database } = context;
  admin.get('/admin/applications', async () => ({
    applications: (await select(database).execute()).map(describe),
  }));
  admin.get<ByClientId>('/admin/applications/:clientId', (request) =>
    getApplication(database, checked(text, request.params.clientId)),
  );
  admin.put<ByClientId>('/admin/applications/:clientId', async (request) => {
    const { clientSecret, name, environment, accountId, ...settings } = checked(
      applicationRequest,
      request.body,
    );
    const clientId = checked(text, request.params.clientId);
    const change = { clientSecret, name, environment, accountId, settings };
    await context.applications.upsert(clientId, change, new Date());
    return getApplication(database, clientId);
  });
  admin.delete<ByClientId>('/admin/applications/:clientId/tokens', async (request, reply) => {
    await context.tokens.revokeAll(checked(text, request.params.clientId));
    return reply.code(204).send();
  });
}

async function getApplication(database: Kysely<Tables>, clientId: string): Promise<object> {
  const row = await select(database).where('client_id', '=', clientId).executeTakeFirst();
  if (row === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return describe(row);
}

function select(database: Kysely<Tables>) {
  return database
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select(['client_id', 'name', 'app_id', 'account_id', 'environment', 'settings'])
    .orderBy('client_id');
}

/** Everything except the secret, of which only a hash is stored. */
function describe(row: Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>): object {
  return {
    clientId: row.client_id,
    name: row.name,
    appId: row.app_id,
    environment: row.environment,
    accountId: row.account_id,
    settings: row.settings,
  };
}
