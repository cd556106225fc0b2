import type { FastifyInstance } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { checked, checkedId } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';
import { payerAction } from '../payer-pages/paying-account.js';
import { approveAgreement, cancelAgreementApproval, findByToken } from './approve-agreement.js';

/** Plays the payer of an agreement without a browser. */
export function addAgreementAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  for (const [action, act] of [
    ['approve', approveAgreement],
    ['cancel', cancelAgreementApproval],
  ] as const) {
    admin.post<{ Params: { token: string } }>(
      `/admin/billing-agreements/:token/${action}`,
      async (request) => {
        const { accountId } = checked(payerAction, request.body);
        const token = checkedId(request.params.token);
        if ((await findByToken(context, token)) === undefined) throw new ApiError('INVALID_RESOURCE_ID');
        const redirectUrl = await act(context, token, accountId);
        if (redirectUrl === undefined) throw new ApiError('RESOURCE_CONFLICT');
        return { redirectUrl };
      },
    );
  }
}
