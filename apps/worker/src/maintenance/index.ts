import type { MaintenanceActivities } from '#workflows/contract';
import type { MaintenanceContext } from '../steps/activities/context.js';
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
    // The name is in histories from when only payments were compared.
    reconcilePayments: (application) =>
      withSignsOfLife(async () => {
        // Runs first: here a provider without an answer is no error, but the comparison fails then.
        await askForAmounts(context, application);
        await reconcileSubjects(context, application);
      }),
    repairWebhooks: () => withSignsOfLife(() => repairWebhooks(context)),
  };
}
