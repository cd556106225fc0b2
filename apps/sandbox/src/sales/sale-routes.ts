import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { checkedId } from '../http/validation.js';
import { ownRow } from '../server/own-row.js';
import { read } from '../server/reading.js';
import { describeSale } from './sale-representation.js';

export function addSaleRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.get<{ Params: { id: string } }>(
    '/v1/payments/sale/:id',
    { config: { operation: 'sale.get' } },
    (request) => {
      const id = checkedId(request.params.id);
      return read(context, request, async (database, clientId) =>
        describeSale(await ownRow(database, 'sales', clientId, id), context.links),
      );
    },
  );
}
