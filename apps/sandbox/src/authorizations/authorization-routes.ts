import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../http/api-error.js';
import { answerOnce } from '../http/idempotency.js';
import { callingApplication } from '../http/request-state.js';
import { checked, checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeAuthorization } from './authorization-representation.js';
import { captureAuthorization, captureRequest } from './capture-authorization.js';
import { voidAuthorization } from './void-authorization.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/authorization/:id';

const voidRequest = z.strictObject({});

export function addAuthorizationRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.get<ById>(PATH, { config: { operation: 'authorization.get' } }, (request) =>
    getAuthorization(context, callingApplication(request).clientId, checkedId(request.params.id)),
  );

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
}

async function getAuthorization(
  context: SandboxContext,
  clientId: string,
  authorizationId: string,
): Promise<object> {
  const authorization = await context.database
    .selectFrom('authorizations')
    .selectAll()
    .where('id', '=', authorizationId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (authorization === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const payment = await context.database
    .selectFrom('payments')
    .selectAll()
    .where('id', '=', authorization.payment_id)
    .executeTakeFirstOrThrow();
  return describeAuthorization(authorization, payment, context.links);
}
