import type { FastifyInstance } from 'fastify';
import { addAdminRoutes } from './admin/admin-routes.js';
import { addAuthorizationRoutes } from './authorizations/authorization-routes.js';
import { agreementApproval } from './billing-agreements/agreement-approval.js';
import { addAgreementRoutes } from './billing-agreements/agreement-routes.js';
import { addPlanRoutes } from './billing-plans/plan-routes.js';
import { addCaptureRoutes } from './captures/capture-routes.js';
import type { SandboxContext } from './context/sandbox-context.js';
import { addDashboardRoutes } from './dashboard/dashboard-routes.js';
import { addEventRoutes } from './event-history/event-routes.js';
import { addTokenRoutes } from './oauth/token-routes.js';
import { addApprovalRoutes } from './payer-pages/approval-routes.js';
import { paymentApproval } from './payer-pages/payment-approval.js';
import { addPaymentRoutes } from './payments/payment-routes.js';
import { addPayoutRoutes } from './payouts/payout-routes.js';
import { addRefundRoutes } from './refunds/refund-routes.js';
import { addSaleRoutes } from './sales/sale-routes.js';
import { addHealthRoute } from './server/health-route.js';
import { addCallHooks } from './server/server.js';
import { addCertificateRoutes } from './webhooks/certificate-routes.js';
import type { SigningCertificate } from './webhooks/signing-certificate.js';
import { addVerificationRoutes } from './webhooks/verification-routes.js';
import { addWebhookRoutes } from './webhooks/webhook-routes.js';

/** All routes of the service: the interface, the payer's pages, and the control of the service itself. */
export async function addRoutes(
  app: FastifyInstance,
  context: SandboxContext,
  certificate: SigningCertificate,
): Promise<void> {
  addHealthRoute(app, context);
  await app.register(async (api) => {
    addCallHooks(api, context);
    addPaymentRoutes(api, context);
    addAuthorizationRoutes(api, context);
    addCaptureRoutes(api, context);
    addSaleRoutes(api, context);
    addRefundRoutes(api, context);
    addPayoutRoutes(api, context);
    addPlanRoutes(api, context);
    addAgreementRoutes(api, context);
    addWebhookRoutes(api, context);
    addEventRoutes(api, context);
    addCertificateRoutes(api, certificate);
    // Its own scope: only there are the bytes of bodies kept.
    await api.register((scope) => addVerificationRoutes(scope, context, certificate));
    // Its own scope: only there are form bodies read.
    await api.register((tokens) => addTokenRoutes(tokens, context));
  });
  await app.register((pages) => addApprovalRoutes(pages, context, paymentApproval));
  await app.register((pages) => addApprovalRoutes(pages, context, agreementApproval));
  app.get('/', async (_request, reply) => await reply.redirect('/dashboard', 302));
  await app.register((dashboard) => addDashboardRoutes(dashboard, context), { prefix: '/dashboard' });
  await app.register(async (admin) => addAdminRoutes(admin, context));
}
