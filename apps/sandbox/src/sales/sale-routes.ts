import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { callingApplication } from '../http/request-state.js';
import { checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeSale } from './sale-representation.js';

export function addSaleRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { database, links } = context;
  api.get<{ Params: { id: string } }>(
    '/v1/payments/sale/:id',
    { config: { operation: 'sale.get' } },
    async (request) => {
      const sale = await database
        .selectFrom('sales')
        .selectAll()
        .where('id', '=', checkedId(request.params.id))
        .where('client_id', '=', callingApplication(request).clientId)
        .executeTakeFirst();
      if (sale === undefined) throw new ApiError('INVALID_RESOURCE_ID');
      const payment = await database
        .selectFrom('payments')
        .selectAll()
        .where('id', '=', sale.payment_id)
        .executeTakeFirstOrThrow();
      return describeSale(sale, payment, links);
    },
  );
}
