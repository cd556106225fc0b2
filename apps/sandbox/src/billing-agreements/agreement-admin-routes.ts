import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import { payerAction } from '../payer-pages/paying-account.js';
import { approveAgreement, cancelAgreementApproval, findByToken } from './approve-agreement.js';
import { billNextCycleNow } from './run-cycles.js';

interface ByToken {
  Params: { token: string };
}

/** Acts as the payer of an agreement, without a browser, and as the clock of its cycles. */
export function addAgreementAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  admin.post<ByToken>('/admin/billing-agreements/:token/bill-next-cycle', async (request, reply) => {
    const token = checkedId(request.params.token);
    const agreement = await findByToken(context, token);
    if (agreement === undefined) throw new ApiError('INVALID_RESOURCE_ID');
    if (!(await billNextCycleNow(context, agreement))) throw new ApiError('RESOURCE_CONFLICT');
    return await reply.code(204).send();
  });
  for (const [action, act] of [
    ['approve', approveAgreement],
    ['cancel', cancelAgreementApproval],
  ] as const) {
    admin.post<ByToken>(`/admin/billing-agreements/:token/${action}`, async (request) => {
      const { accountId } = checked(payerAction, request.body);
      const token = checkedId(request.params.token);
      if ((await findByToken(context, token)) === undefined) throw new ApiError('INVALID_RESOURCE_ID');
      const redirectUrl = await act(context, token, accountId);
      if (redirectUrl === undefined) throw new ApiError('RESOURCE_CONFLICT');
      return { redirectUrl };
    });
  }
}
