import type { MaintenanceActivities } from '#workflows/contract';
import type { MaintenanceContext } from '../context.js';
import { askForAmounts } from '../reconciliation/ask-for-amounts.js';
import { reconcileEvents } from '../reconciliation/reconcile-events.js';
import { reconcileSubjects } from '../reconciliation/reconcile-subjects.js';
import { reconcileRuns } from '../reconciliation/reconcile-runs.js';
import { repairWebhooks } from './repair-webhooks.js';
import { sweepWebhooks } from './sweep-webhooks.js';
import { withSignsOfLife } from './signs-of-life.js';

export function maintenanceActivities(context: MaintenanceContext): MaintenanceActivities {
  return {
    sweepWebhooks: () => withSignsOfLife(() => sweepWebhooks(context)),
    listApplications: async () => [...context.reconciliation.applications],
    reconcileEvents: (application) => withSignsOfLife(() => reconcileEvents(context, application)),
    reconcileRuns: (application) => withSignsOfLife(() => reconcileRuns(context, application)),
    // It goes by the name that it has in histories, from when nothing but payments was compared.
    reconcilePayments: (application) =>
      withSignsOfLife(async () => {
        // First: it takes a silent provider for one that tells nothing, which a comparison does not.
        await askForAmounts(context, application);
        await reconcileSubjects(context, application);
      }),
    repairWebhooks: () => withSignsOfLife(() => repairWebhooks(context)),
  };
}
