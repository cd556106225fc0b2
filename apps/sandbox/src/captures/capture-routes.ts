import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { callingApplication } from '../http/request-state.js';
import { checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeCapture } from './capture-representation.js';

export function addCaptureRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.get<{ Params: { id: string } }>(
    '/v1/payments/capture/:id',
    { config: { operation: 'capture.get' } },
    async (request) => {
      const capture = await context.database
        .selectFrom('captures')
        .selectAll()
        .where('id', '=', checkedId(request.params.id))
        .where('client_id', '=', callingApplication(request).clientId)
        .executeTakeFirst();
      if (capture === undefined) throw new ApiError('INVALID_RESOURCE_ID');
      return describeCapture(capture, context.links);
    },
  );
}
