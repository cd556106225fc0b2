import type { ManagedProcess } from './managed-process.js';

/** Ports of the parts that people address; one that is missing is chosen freely. */
export interface StackPorts {
  readonly api?: number;
  readonly sandbox?: number;
  readonly temporal?: number;
  readonly temporalUi?: number;
  readonly workerHealth?: number;
}

export interface StackOptions {
  /** Everything that the stack keeps: databases, secrets, logs. */
  readonly dataFolder: string;
  readonly ports?: StackPorts;
  /** How many processes; default 1 each. */
  readonly apis?: number;
  readonly workers?: number;
  /** Variables beside or instead of the generated ones. */
  readonly env?: { readonly [part in 'api' | 'worker' | 'sandbox']?: Readonly<Record<string, string>> };
  /** A Temporal server to be used instead of one of our own: host:port of gRPC and, where it has one, its Web UI. */
  readonly temporalElsewhere?: { readonly address: string; readonly uiUrl?: string };
  /**
   * The server of our own: `development`, the CLI's over a file, or `production`, over a PostgreSQL of its own. Default
   * `development`.
   */
  readonly temporal?: 'development' | 'production';
  /** Without it Temporal's Web UI is not started beside the production server; the other one carries it. Default true. */
  readonly webUi?: boolean;
  /** Settings of the engine's PostgreSQL server beyond the defaults. */
  readonly engineDatabaseSettings?: Readonly<Record<string, string>>;
  /** Durability of the development server's own store; see TemporalServerOptions. Default `normal`. */
  readonly temporalSynchronous?: 'normal' | 'full';
  readonly report?: (line: string) => void;
  /** Called with one sentence when a part ends unasked, and with the name of its process. */
  readonly onUnexpectedEnd?: (sentence: string, name: string, child: ManagedProcess) => void;
  /** Stops the start. */
  readonly signal?: AbortSignal;
}
