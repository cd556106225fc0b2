import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checked, checkedId } from '../http/validation.js';
import { answerOnce } from '../server/idempotency.js';
import { ownRow } from '../server/own-row.js';
import { read } from '../server/reading.js';
import { captureAuthorization, captureRequest } from './capture-authorization.js';
import { describeCapture } from './capture-representation.js';

interface ById {
  Params: { id: string };
}

/** Creates captures, under the path of their authorization, and shows them. */
export function addCaptureRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.post<ById>(
    '/v1/payments/authorization/:id/capture',
    { config: { operation: 'authorization.capture' } },
    (request, reply) => {
      const authorizationId = checkedId(request.params.id);
      const body = checked(captureRequest, request.body);
      return answerOnce(context, 'authorization.capture', request, reply, (unit) =>
        captureAuthorization(context, unit, authorizationId, body),
      );
    },
  );

  api.get<ById>('/v1/payments/capture/:id', { config: { operation: 'capture.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, async (database, clientId) =>
      describeCapture(await ownRow(database, 'captures', clientId, id), context.links),
    );
  });
}
