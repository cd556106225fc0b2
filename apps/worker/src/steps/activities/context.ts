import type { Logger } from 'pino';
import type { ProviderApplication } from '#configuration';
import type { Restore } from '#database/commands';
import type { ChangeAnnouncer, Database } from '#database/connection';
import type { Owner } from '#database/schema';
import type { Runs } from '#runs';
import type { EventDispatch } from '#webhook-inbox';
import type { ProviderClients } from '../../provider/provider-clients.js';
import type { BlockedRuns } from '../../blocked-runs/blocked-runs.js';

/** The context of lifecycle activities; created once per worker process. */
export interface ActivityContext {
  readonly db: Database;
  readonly providers: ProviderClients;
  readonly changes: ChangeAnnouncer;
  readonly runs: Pick<Runs, 'signal'>;
  /** The database was restored to an earlier moment: attempts may have been sent since that moment that have no row. */
  readonly restore?: Restore | undefined;
}

/** The additional context of maintenance activities. */
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
   * The overlap of two event searches, and the time that a subject must rest before it is compared, in milliseconds. It
   * must exceed the provider's longest transition, the lag of its reads and the clock difference.
   */
  readonly overlapMs: number;
  /** Events younger than this are left to their delivery, in milliseconds. */
  readonly graceMs: number;
  /**
   * After this time without a change the run of a subject is checked, and after this time a missing run counts as lost.
   * In milliseconds.
   */
  readonly lostAfterMs: number;
}
