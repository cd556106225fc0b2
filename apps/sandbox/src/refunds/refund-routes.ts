import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { answerOnce } from '../http/idempotency.js';
import type { Links } from '../http/links.js';
import { read } from '../http/reading.js';
import { checked, checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
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
    return read(context, request, (database, clientId) => getRefund(database, context.links, clientId, id));
  });
}

async function getRefund(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  refundId: string,
): Promise<object> {
  const refund = await database
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', refundId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (refund === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return describeRefund(refund, links);
}
