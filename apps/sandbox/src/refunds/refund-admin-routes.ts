import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import type { CollectedReference } from './collected-rows.js';
import { refundCollected } from './refund-collected.js';
import { refundRequest, type RefundRequest } from './refund-request.js';
import { reversalRequest, reverseCollected } from './reverse-collected.js';

interface ById {
  Params: { id: string };
}

/** What happens to collected money without a call of its application: refunds made in a dashboard, and chargebacks. */
export function addRefundAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  for (const kind of ['sale', 'capture'] as const) {
    admin.post<ById>(`/admin/${kind}s/:id/refund`, async (request, reply) => {
      const reference = { kind, id: checkedId(request.params.id) };
      const refund = await refundElsewhere(context, reference, checked(refundRequest, request.body));
      return reply.code(201).send(refund);
    });
    admin.post<ById>(`/admin/${kind}s/:id/reverse`, (request) => {
      const reference = { kind, id: checkedId(request.params.id) };
      return reverseCollected(context, reference, checked(reversalRequest, request.body));
    });
  }
}

/** Like the application's own call, with its settings, but without a request id. */
async function refundElsewhere(
  context: SandboxContext,
  reference: CollectedReference,
  request: RefundRequest,
): Promise<object | null> {
  const owner = await context.database
    .selectFrom(reference.kind === 'sale' ? 'sales' : 'captures')
    .select('client_id')
    .where('id', '=', reference.id)
    .executeTakeFirst();
  const application = owner && (await context.applications.find(owner.client_id));
  if (application === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  const answer = await context.database.transaction().execute((transaction) => {
    const unit = { transaction, now: new Date(), application, requestId: null, fault: null };
    return refundCollected(context, unit, reference, request);
  });
  context.wakeTasks();
  return answer.body;
}
