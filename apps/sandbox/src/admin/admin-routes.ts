import type { FastifyInstance } from 'fastify';
import { addAgreementAdminRoutes } from '../billing-agreements/agreement-admin-routes.js';
import { checkBooks } from '../books/check-books.js';
import { listMovements, movementQuery } from '../books/list-movements.js';
import { callQuery, describeCall, listCalls } from '../calls/list-calls.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import { ApiError } from '../http/api-error.js';
import { sha256Hex } from '../http/identifiers.js';
import { checked, checkedId } from '../http/validation.js';
import { isSameSecret } from '../oauth/client-credentials.js';
import { approvePayment, cancelApproval } from '../payer-pages/approve-payment.js';
import { payerAction } from '../payer-pages/paying-account.js';
import { addPayoutAdminRoutes } from '../payouts/payout-admin-routes.js';
import { addRefundAdminRoutes } from '../refunds/refund-admin-routes.js';
import { addDeliveryRoutes } from '../webhooks/delivery-routes.js';
import { addAccountAdminRoutes } from './account-admin-routes.js';
import { addApplicationAdminRoutes } from './application-admin-routes.js';
import { refuseForeignPages } from './browser-guard.js';
import { addFaultRoutes } from './fault-routes.js';

interface ById {
  Params: { id: string };
}

/** How tests, campaigns and operators control and read the service; no part of the interface. */
export function addAdminRoutes(admin: FastifyInstance, context: SandboxContext): void {
  const { database } = context;
  refuseForeignPages(admin, context);
  requireAdminToken(admin, context.adminToken);
  addApplicationAdminRoutes(admin, context);
  addAccountAdminRoutes(admin, context);
  addPayerActions(admin, context);
  addRefundAdminRoutes(admin, context);
  addFaultRoutes(admin, context);
  addDeliveryRoutes(admin, context);
  addPayoutAdminRoutes(admin, context);
  addAgreementAdminRoutes(admin, context);

  admin.get('/admin/books/movements', async (request) => ({
    movements: await listMovements(database, checked(movementQuery, request.query)),
  }));
  admin.get('/admin/books/check', async () => {
    const violations = await checkBooks(database);
    return { ok: violations.length === 0, violations };
  });
  admin.get('/admin/calls', (request) =>
    listCalls(database, context.calls, checked(callQuery, request.query)),
  );
  admin.get<ById>('/admin/calls/:id', (request) =>
    describeCall(database, context.calls, checkedId(request.params.id)),
  );
}

function requireAdminToken(admin: FastifyInstance, adminToken: string | undefined): void {
  if (adminToken === undefined) return;
  const expected = sha256Hex(adminToken);
  admin.addHook('onRequest', async (request) => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (given === undefined || !isSameSecret(given, expected)) {
      const issue = 'The bearer token of the admin API (SANDBOX_ADMIN_TOKEN) is needed';
      throw new ApiError('AUTHENTICATION_FAILURE', [{ field: 'Authorization', issue }]);
    }
  });
}

/** Acts as the payer, without a browser. */
function addPayerActions(admin: FastifyInstance, context: SandboxContext): void {
  for (const [action, act] of [
    ['approve', approvePayment],
    ['cancel', cancelApproval],
  ] as const) {
    admin.post<ById>(`/admin/payments/:id/${action}`, async (request) => {
      const { accountId } = checked(payerAction, request.body);
      const payment = await context.database
        .selectFrom('payments')
        .select('approval_token')
        .where('id', '=', checkedId(request.params.id))
        .executeTakeFirst();
      if (payment === undefined) throw new ApiError('INVALID_RESOURCE_ID');
      const redirectUrl = await act(context, payment.approval_token, accountId);
      if (redirectUrl === undefined) throw new ApiError('RESOURCE_CONFLICT');
      return { redirectUrl };
    });
  }
}
