import type { PaymentActivities } from '../../../../libs/workflows/src/contract/payment.js';
import type { RefundActivities } from '../../../../libs/workflows/src/contract/refund.js';
import type { MaintenanceActivities } from '../../../../libs/workflows/src/maintenance.js';
import type { ActivityContext, MaintenanceContext } from './activity-context.js';
import { captureAuthorization } from './capture-authorization.js';
import { createPayment } from './create-payment.js';
import { executePayment } from './execute-payment.js';
import { lookUpStep } from '../steps/look-up-step.js';
import { recordStanding } from '../steps/record-event.js';
import { lookForStep } from './look-up-outcome.js';
import { observePayment } from './observe-payment.js';
import { lookForRefund } from './look-up-refund.js';
import { makeRefund } from './make-refund.js';
import { observeRefund } from './observe-refund.js';
import { reconcileEvents } from '../reconciliation/reconcile-events.js';
import { reconcileSubjects } from '../reconciliation/reconcile-subjects.js';
import { reconcileRuns } from '../reconciliation/reconcile-runs.js';
import { type PaymentWork, paymentBooks } from './payment-books.js';
import { reauthorizeAuthorization } from './reauthorize-authorization.js';
import { type RefundWork, refundBooks, toldWithItsPayment } from './refund-books.js';
import { repairWebhooks } from './repair-webhooks.js';
import { sweepWebhooks } from './sweep-webhooks.js';
import { verifyDecision } from './verify-decision.js';
import { verifyRefundDecision } from './verify-refund-decision.js';
import { voidAuthorization } from './void-authorization.js';
import { withSignsOfLife } from './signs-of-life.js';

export function paymentActivities(context: ActivityContext): PaymentActivities {
  const work: PaymentWork = { context, books: paymentBooks };
  return {
    createPayment: (input, purchase) => createPayment(work, input, purchase),
    executePayment: (input) => executePayment(work, input),
    captureAuthorization: (input) => captureAuthorization(work, input),
    voidAuthorization: (input) => voidAuthorization(work, input),
    reauthorizeAuthorization: (input) => reauthorizeAuthorization(work, input),
    lookUpOutcome: (input) =>
      lookUpStep(work, input, (step, attempts) => lookForStep(context, input, step, attempts)),
    observePayment: (input) => observePayment(work, input),
    verifyDecision: (input, decided) => verifyDecision(work, input, decided),
    recordTransition: (input) => recordStanding(work, input),
  };
}

export function refundActivities(context: ActivityContext): RefundActivities {
  const work: RefundWork = { context, books: refundBooks };
  const told = toldWithItsPayment(context);
  return {
    makeRefund: told((input) => makeRefund(work, input)),
    lookUpRefund: told((input) =>
      lookUpStep(work, input, (_step, attempts) => lookForRefund(context, input, attempts)),
    ),
    observeRefund: told((input) => observeRefund(work, input)),
    verifyRefundDecision: (input, decided) => verifyRefundDecision(work, input, decided),
    recordRefund: (input) => recordStanding(work, input),
  };
}

export function maintenanceActivities(context: MaintenanceContext): MaintenanceActivities {
  return {
    sweepWebhooks: () => withSignsOfLife(() => sweepWebhooks(context)),
    listApplications: async () => [...context.reconciliation.applications],
    reconcileEvents: (application) => withSignsOfLife(() => reconcileEvents(context, application)),
    reconcileRuns: (application) => withSignsOfLife(() => reconcileRuns(context, application)),
    // It goes by the name that it has in histories, from when nothing but payments was compared.
    reconcilePayments: (application) => withSignsOfLife(() => reconcileSubjects(context, application)),
    repairWebhooks: () => withSignsOfLife(() => repairWebhooks(context)),
  };
}
