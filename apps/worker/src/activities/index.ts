import type { PaymentActivities, RefundActivities } from '../../../../libs/workflows/src/contract.js';
import type { MaintenanceActivities } from '../../../../libs/workflows/src/maintenance.js';
import type { ActivityContext, MaintenanceContext } from './activity-context.js';
import { captureAuthorization } from './capture-authorization.js';
import { createPayment } from './create-payment.js';
import { executePayment } from './execute-payment.js';
import { lookUpOutcome } from './look-up-outcome.js';
import { observePayment } from './observe-payment.js';
import { observeRefund } from './observe-refund.js';
import { reconcileEvents } from './reconcile-events.js';
import { reconcilePayments } from './reconcile-payments.js';
import { reconcileRuns } from './reconcile-runs.js';
import { recordTransition } from './record-transition.js';
import { repairWebhooks } from './repair-webhooks.js';
import { sweepWebhooks } from './sweep-webhooks.js';
import { verifyDecision } from './verify-decision.js';
import { voidAuthorization } from './void-authorization.js';
import { withSignsOfLife } from './signs-of-life.js';

export function paymentActivities(context: ActivityContext): PaymentActivities {
  return {
    createPayment: (input, purchase) => createPayment(context, input, purchase),
    executePayment: (input) => executePayment(context, input),
    captureAuthorization: (input) => captureAuthorization(context, input),
    voidAuthorization: (input) => voidAuthorization(context, input),
    lookUpOutcome: (input) => lookUpOutcome(context, input),
    observePayment: (input) => observePayment(context, input),
    verifyDecision: (input, decided) => verifyDecision(context, input, decided),
    recordTransition: (input) => recordTransition(context, input),
  };
}

export function refundActivities(context: ActivityContext): RefundActivities {
  return {
    observeRefund: (input) => observeRefund(context, input),
  };
}

export function maintenanceActivities(context: MaintenanceContext): MaintenanceActivities {
  return {
    sweepWebhooks: () => withSignsOfLife(() => sweepWebhooks(context)),
    listApplications: async () => [...context.reconciliation.applications],
    reconcileEvents: (application) => withSignsOfLife(() => reconcileEvents(context, application)),
    reconcileRuns: (application) => withSignsOfLife(() => reconcileRuns(context, application)),
    reconcilePayments: (application) => withSignsOfLife(() => reconcilePayments(context, application)),
    repairWebhooks: () => withSignsOfLife(() => repairWebhooks(context)),
  };
}
