import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import type { Links } from '../http/links.js';
import { checked, checkedId } from '../http/validation.js';
import { answerOnce } from '../server/idempotency.js';
import { ownRow } from '../server/own-row.js';
import { read } from '../server/reading.js';
import { describeAuthorization } from './authorization-representation.js';
import { reauthorizeAuthorization, reauthorizeRequest } from './reauthorize-authorization.js';
import { voidAuthorization } from './void-authorization.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/authorization/:id';

/** Clients of the public API send the authorization in the body, or nothing; the body has no further meaning. */
const voidRequest = z.object({});

export function addAuthorizationRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.get<ById>(PATH, { config: { operation: 'authorization.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, (database, clientId) => getAuthorization(database, links, clientId, id));
  });

  api.post<ById>(`${PATH}/void`, { config: { operation: 'authorization.void' } }, (request, reply) => {
    const authorizationId = checkedId(request.params.id);
    checked(voidRequest, request.body);
    return answerOnce(context, 'authorization.void', request, reply, (unit) =>
      voidAuthorization(context, unit, authorizationId),
    );
  });

  api.post<ById>(
    `${PATH}/reauthorize`,
    { config: { operation: 'authorization.reauthorize' } },
    (request, reply) => {
      const authorizationId = checkedId(request.params.id);
      const body = checked(reauthorizeRequest, request.body);
      return answerOnce(context, 'authorization.reauthorize', request, reply, (unit) =>
        reauthorizeAuthorization(context, unit, authorizationId, body),
      );
    },
  );
}

async function getAuthorization(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  authorizationId: string,
): Promise<object> {
  const authorization = await ownRow(database, 'authorizations', clientId, authorizationId);
  const payment = await database
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', authorization.payment_id)
    .executeTakeFirstOrThrow();
  return describeAuthorization(authorization, payment, links, new Date());
}
