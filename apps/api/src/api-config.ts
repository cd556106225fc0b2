import type { ProviderApplication } from '#configuration';
import type { CodecKeys } from '#payload-codec';
import type { WaitPolicy } from '#workflows/lifecycle';
import type { ApiKey } from './auth/api-keys.js';
import type { CallerLimits } from './server/caller-limits.js';

export interface ApiConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Origin under which payers, order services and the provider reach this API; no trailing slash. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly temporal: {
    /** host:port of the gRPC frontend. */
    readonly address: string;
    readonly namespace: string;
    readonly taskQueue: string;
    /** Origin of Temporal's Web UI: runs are linked there, and it alone may read the codec endpoint from a browser. */
    readonly uiUrl?: string;
    /** How long one call to Temporal may take before it counts as away. */
    readonly deadlineMs: number;
  };
  readonly applications: readonly ProviderApplication[];
  readonly apiKeys: readonly ApiKey[];
  readonly codecKeys: CodecKeys;
  readonly patience: WaitPolicy;
  /** How long a request waits for what the run makes of it before it answers 202. */
  readonly answerWithinMs: number;
  /** How long the payer's browser waits for the run before it is sent on regardless. */
  readonly payerWaitMs: number;
  /** A sender that has not finished its request by then is cut off; 15 s when absent. */
  readonly requestTimeoutMs?: number;
  /** What one key may have under way at a time; the usual when absent. */
  readonly callerLimits?: CallerLimits;
  readonly logLevel: string;
}

export const apiConfig = Symbol('ApiConfig');
