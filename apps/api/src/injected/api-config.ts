import type { ServedApplication } from '#configuration';
import type { CodecKeys } from '#payload-codec';
import type { Resolve } from '#payments-client/addresses';
import type { TracingSettings } from '#observability';
import type { TemporalClientOptions } from '#runs';
import type { WaitPolicy } from '#workflows/lifecycle';
import type { ConsoleIdentityProvider, ConsoleUser } from './console-user.js';
import type { Scope } from './scope.js';

export interface ApiConfig {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Origin under which payers, order services and the provider reach this API; no trailing slash. */
  readonly publicUrl: string;
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; absent: none. */
  readonly trustedProxies?: string | undefined;
  readonly databaseUrl: string;
  readonly temporal: {
    /** host:port of the gRPC frontend. */
    readonly address: string;
    readonly namespace: string;
    /** TLS and API key of the connection. */
    readonly security?: TemporalClientOptions['security'];
    readonly taskQueue: string;
    /**
     * Origin of Temporal's Web UI: answers link to runs there, and only its pages may call the codec endpoint from a
     * browser.
     */
    readonly uiUrl?: string;
    /** How long one call to Temporal may take before it counts as away. */
    readonly deadlineMs: number;
  };
  readonly applications: readonly ServedApplication[];
  readonly apiKeys: readonly ApiKey[];
  readonly codecKeys: CodecKeys;
  readonly patience: WaitPolicy;
  /** How long a request waits for its outcome before it answers 202. */
  readonly answerWithinMs: number;
  /** How long the payer's browser waits for the run before it is redirected anyway. */
  readonly payerWaitMs: number;
  /** A connection whose request has not arrived completely by then is closed; 15 s when absent. */
  readonly requestTimeoutMs?: number;
  /** How many requests one key may have under way; default: `usualLimits`. */
  readonly callerLimits?: CallerLimits;
  /** How many requests may be sent in a minute; default: `usualRates`. */
  readonly rateLimits?: RateLimits;
  /** How many connections the process holds at a time. */
  readonly maxConnections?: number;
  readonly notifications?: NotificationSettings;
  /** Who may use the console with a password; nobody when absent. */
  readonly consoleUsers?: readonly ConsoleUser[];
  /** Through which others may use the console; nobody when absent. */
  readonly consoleIdentityProvider?: ConsoleIdentityProvider | undefined;
  readonly logLevel: string;
  /** Where Prometheus reads the metrics; none when absent. */
  readonly metrics?: { readonly host: string; readonly port: number };
  /** Traces are made only with an endpoint. */
  readonly tracing?: TracingSettings;
}

/** How notifications are sent; what is absent has its usual value (`usual-settings.ts`). */
export interface NotificationSettings {
  /** Also plain http, and addresses inside the own network. */
  readonly allowsAnyAddress?: boolean;
  /** The waits between the attempts of a delivery, in milliseconds; after the last attempt it has failed. */
  readonly waitsMs?: readonly number[];
  /** How long a receiver may take to answer. */
  readonly timeoutMs?: number;
  /** An endpoint that has failed for so long is disabled. */
  readonly disableAfterMs?: number;
  /** How often a process looks for deliveries that are due, without a change that tells it. */
  readonly sweepMs?: number;
  /** Another resolver of host names, for tests. */
  readonly resolve?: Resolve;
}

/** A key of an order service: only its hash is known here. */
export interface ApiKey {
  /** Names the key in records. */
  readonly id: string;
  /** Hex of the SHA-256 of the key. Keys are random and long, so that a plain hash is enough. */
  readonly sha256: string;
  readonly environment: string;
  readonly application: string;
  /** What the key may be used for; absent: everything. */
  readonly scopes?: readonly Scope[] | undefined;
  /** ISO 8601. From then on the key counts as unknown. */
  readonly expiresAt?: string | undefined;
}

/** How many requests one API key may have under way at the same time. */
export interface CallerLimits {
  /** Requests that wait for the next change of a subject. */
  readonly waits: number;
  /** Lists, timelines and reviews: each reads many rows and blocks the process while it is rendered. */
  readonly lists: number;
  /** All other requests. */
  readonly requests: number;
  /** Refusals that are answered at once in a second; more of them wait. Also for each address without a key. */
  readonly refusals: number;
}

/** How many requests may be sent to one process in a minute. */
export interface RateLimits {
  readonly requestsPerKey: number;
  /** Without an API key: those of payers, the console, the documentation and the codec endpoint. */
  readonly requestsPerAddress: number;
  /** Without a valid key where one is needed, or to an address of webhooks that does not exist. */
  readonly failuresPerAddress: number;
  /** Tries to sign in to the console, right or wrong. */
  readonly signInsPerAddress: number;
}

export const apiConfig = Symbol('ApiConfig');
