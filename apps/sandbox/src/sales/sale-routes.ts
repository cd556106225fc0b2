import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Links } from '../http/links.js';
import { read } from '../http/reading.js';
import { checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describeSale } from './sale-representation.js';

export function addSaleRoutes(api: FastifyInstance, context: SandboxContext): void {
  api.get<{ Params: { id: string } }>(
    '/v1/payments/sale/:id',
    { config: { operation: 'sale.get' } },
    (request) => {
      const id = checkedId(request.params.id);
      return read(context, request, (database, clientId) => getSale(database, context.links, clientId, id));
    },
  );
}

async function getSale(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  saleId: string,
): Promise<object> {
  const sale = await database
    .selectFrom('sales')
    .selectAll()
    .where('id', '=', saleId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (sale === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return describeSale(sale, links);
}
