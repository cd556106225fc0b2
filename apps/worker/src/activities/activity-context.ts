import type { ChangeAnnouncer } from '../../../../libs/database/src/changes.js';
import type { Database } from '../../../../libs/database/src/database.js';
import type { ProviderClients } from '../provider/provider-clients.js';

/** What activities work with; made once per worker process. */
export interface ActivityContext {
  readonly db: Database;
  readonly providers: ProviderClients;
  readonly changes: ChangeAnnouncer;
}
