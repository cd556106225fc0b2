import type { Logger } from 'pino';
import type { ProviderApplication } from '#configuration';
import type { ChangeAnnouncer, Database } from '#database/connection';
import type { Owner } from '#database/schema';
import type { Runs } from '#runs';
import type { EventDispatch } from '#webhook-inbox';
import type { ProviderClients } from './provider/provider-clients.js';
import type { BlockedRuns } from './reconciliation/blocked-runs.js';

/** What activities of payments work with; made once per worker process. */
export interface ActivityContext {
  readonly db: Database;
  readonly providers: ProviderClients;
  readonly changes: ChangeAnnouncer;
  readonly runs: Pick<Runs, 'signal'>;
}

/** What activities that mind no single payment work with besides. */
export interface MaintenanceContext extends ActivityContext {
  readonly runs: Runs;
  readonly blockedRuns: BlockedRuns;
  readonly dispatch: EventDispatch;
  readonly applications: readonly ProviderApplication[];
  /** Origin under which payers and the provider reach the API. */
  readonly publicUrl: string;
  readonly logger: Logger;
  readonly reconciliation: ReconciliationOptions;
}

export interface ReconciliationOptions {
  readonly applications: readonly Owner[];
  /** Origin under which payers reach the API. */
  readonly publicUrl: string;
  /**
   * How far back the search for events begins again each time, and how long a payment rests before it is compared, in
   * milliseconds: longer than the provider's longest transition, the lag of its reads, and the difference of the clocks.
   */
  readonly overlapMs: number;
  /** Events younger than this are left to their delivery, in milliseconds. */
  readonly graceMs: number;
  /** A payment that has not moved, or a run that has been gone, for this long is asked after, in milliseconds. */
  readonly lostAfterMs: number;
}
