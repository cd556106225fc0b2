import type { FastifyInstance } from 'fastify';
import { ownRow } from '../http/own-row.js';
import { read } from '../http/reading.js';
import { checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeCapture } from './capture-representation.js';

export function addCaptureRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.get<{ Params: { id: string } }>(
    '/v1/payments/capture/:id',
    { config: { operation: 'capture.get' } },
    (request) => {
      const id = checkedId(request.params.id);
      return read(context, request, async (database, clientId) =>
        describeCapture(await ownRow(database, 'captures', clientId, id), context.links),
      );
    },
  );
}
