import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Accounts } from '../accounts/accounts.js';
import type { AccessTokens } from '../applications/access-tokens.js';
import type { Applications } from '../applications/applications.js';
import type { CallLog } from '../calls/call-log.js';
import type { CallRetention } from '../calls/forget-old-calls.js';
import type { Tables } from '../database/tables.js';
import type { Faults } from '../faults/faults.js';
import type { PastStates } from '../faults/past-states.js';
import type { Links } from '../http/links.js';
import type { ApplicationSettings } from '../settings/application-settings.js';

/** What the routes and tasks of a running service share. */
export interface SandboxContext {
  readonly database: Kysely<Tables>;
  readonly logger: Logger;
  readonly links: Links;
  readonly accounts: Accounts;
  readonly applications: Applications;
  readonly tokens: AccessTokens;
  readonly faults: Faults;
  /** What reads show while a fault makes them lag behind the writes. */
  readonly past: PastStates;
  readonly calls: CallLog;
  readonly defaults: ServiceDefaults;
  readonly callRetention: CallRetention;
  readonly adminToken: string | undefined;
  /** Aborted when the service closes: held calls end. */
  readonly closing: AbortSignal;
  /** Tells the tasks of the clock and the dispatcher that rows were committed: something may be due. */
  wakeTasks(): void;
}

export interface ServiceDefaults {
  readonly dayLengthMs: number;
  readonly approval: 'payer' | 'immediate';
}

export function dayLengthOf(settings: ApplicationSettings, defaults: ServiceDefaults): number {
  return settings.dayLengthMs ?? defaults.dayLengthMs;
}
