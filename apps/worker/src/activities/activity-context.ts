import type { ChangeAnnouncer } from '../../../../libs/database/src/changes.js';
import type { Database } from '../../../../libs/database/src/database.js';
import type { PaymentRuns } from '../../../../libs/runs/src/payment-runs.js';
import type { EventDispatch } from '../../../../libs/webhook-inbox/src/event-dispatch.js';
import type { ProviderClients } from '../provider/provider-clients.js';

/** What activities of payments work with; made once per worker process. */
export interface ActivityContext {
  readonly db: Database;
  readonly providers: ProviderClients;
  readonly changes: ChangeAnnouncer;
}

/** What activities that mind no single payment work with besides. */
export interface MaintenanceContext extends ActivityContext {
  readonly runs: PaymentRuns;
  readonly dispatch: EventDispatch;
}
