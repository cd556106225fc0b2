import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checked, checkedId } from '../http/validation.js';
import { answerOnce } from '../server/idempotency.js';
import { ownRow } from '../server/own-row.js';
import { read } from '../server/reading.js';
import { refundCollected } from './refund-collected.js';
import { describeRefund } from './refund-representation.js';
import { refundRequest } from './refund-request.js';

interface ById {
  Params: { id: string };
}

export function addRefundRoutes(api: FastifyInstance, context: SandboxContext): void {
  for (const kind of ['sale', 'capture'] as const) {
    const operation = `${kind}.refund` as const;
    api.post<ById>(`/v1/payments/${kind}/:id/refund`, { config: { operation } }, (request, reply) => {
      const reference = { kind, id: checkedId(request.params.id) };
      const body = checked(refundRequest, request.body);
      return answerOnce(context, operation, request, reply, (unit) =>
        refundCollected(context, unit, reference, body),
      );
    });
  }

  api.get<ById>('/v1/payments/refund/:id', { config: { operation: 'refund.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, async (database, clientId) =>
      describeRefund(await ownRow(database, 'refunds', clientId, id), context.links),
    );
  });
}
