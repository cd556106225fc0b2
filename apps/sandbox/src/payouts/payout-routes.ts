import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import { answerOnce } from '../server/idempotency.js';
import { read } from '../server/reading.js';
import { cancelPayoutItem } from './cancel-payout-item.js';
import { createPayout } from './create-payout.js';
import { getPayout, getPayoutItem } from './find-payouts.js';
import { itemCancelRequest, payoutCreateQuery, payoutGetQuery, payoutRequest } from './payout-request.js';

interface ById {
  Params: { id: string };
}

const PATH = '/v1/payments/payouts';
const ITEM_PATH = '/v1/payments/payouts-item/:id';
/** Enough for 15,000 items with a note each; every other call keeps the small limit. */
const LARGEST_BATCH_BYTES = 16 * 1024 * 1024;

export function addPayoutRoutes(api: FastifyInstance, context: SandboxContext): void {
  const { links } = context;

  api.post(
    PATH,
    { bodyLimit: LARGEST_BATCH_BYTES, config: { operation: 'payout.create' } },
    async (request, reply) => {
      const { sync_mode } = checked(payoutCreateQuery, request.query);
      const body = checked(payoutRequest, request.body);
      if (sync_mode && body.items.length > 1)
        throw ApiError.invalid('items', 'SIZE_LIMIT_EXCEEDED_FOR_SYNC_PAYOUT');
      return answerOnce(context, 'payout.create', request, reply, (unit) =>
        createPayout(context, unit, body, sync_mode),
      );
    },
  );

  api.get<ById>(`${PATH}/:id`, { config: { operation: 'payout.get' } }, (request) => {
    const id = checkedId(request.params.id);
    const query = checked(payoutGetQuery, request.query);
    return read(context, request, (database, clientId) => getPayout(database, links, clientId, id, query));
  });

  api.get<ById>(ITEM_PATH, { config: { operation: 'payout-item.get' } }, (request) => {
    const id = checkedId(request.params.id);
    return read(context, request, (database, clientId) => getPayoutItem(database, links, clientId, id));
  });

  api.post<ById>(`${ITEM_PATH}/cancel`, { config: { operation: 'payout-item.cancel' } }, (request, reply) => {
    const id = checkedId(request.params.id);
    checked(itemCancelRequest, request.body);
    return answerOnce(context, 'payout-item.cancel', request, reply, (unit) =>
      cancelPayoutItem(context, unit, id),
    );
  });
}
