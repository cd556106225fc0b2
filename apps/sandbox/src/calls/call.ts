import type { Operation } from '../http/operations.js';

/** A call to the interface, from its arrival. */
export interface Call {
  readonly id: string;
  readonly operation: Operation;
  readonly method: string;
  /** Without the query, redacted: the log has it, too. */
  readonly path: string;
  /** Redacted too. */
  readonly requestId: string | null;
  readonly startedAt: Date;
  /** Of an application; redacted when no application has it: it is what a caller has claimed. */
  clientId: string | null;
  fault: string | null;
}
