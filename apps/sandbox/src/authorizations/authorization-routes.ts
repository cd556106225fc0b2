import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import { answerOnce } from '../http/idempotency.js';
import type { Links } from '../http/links.js';
import { ownRow } from '../http/own-row.js';
import { read } from '../http/reading.js';
import { checked, checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeAuthorization } from './authorization-representation.js';
import { captureAuthorization, captureRequest } from './capture-authorization.js';
import { reauthorizeAuthorization, reauthorizeRequest } from './reauthorize-authorization.js';
import { voidAuthorization } from './void-authorization.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/authorization/:id';

/** Clients of the public API send the authorization along, or nothing; what they send says nothing more. */
const voidRequest = z.object({});

export function addAuthorizationRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.get<ById>(PATH, { config: { operation: 'authorization.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, (database, clientId) => getAuthorization(database, links, clientId, id));
  });

  api.post<ById>(`${PATH}/capture`, { config: { operation: 'authorization.capture' } }, (request, reply) => {
    const authorizationId = checkedId(request.params.id);
    const body = checked(captureRequest, request.body);
    return answerOnce(context, 'authorization.capture', request, reply, (unit) =>
      captureAuthorization(context, unit, authorizationId, body),
    );
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
