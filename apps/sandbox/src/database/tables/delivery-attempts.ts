import type { Instant } from './column-types.js';

interface DeliveryAttemptsTable {
  delivery_id: number;
  /** 1 for the first. */
  number: number;
  /** The PAYPAL-TRANSMISSION-ID that the receiver saw; null when nothing was sent. */
  transmission_id: string | null;
  /** Kind of the fault that affected it. */
  fault: string | null;
  started_at: Instant;
  /** Null while it runs, and always when its process died meanwhile. */
  duration_ms: number | null;
  /** The receiver's answer; null when none came. */
  status: number | null;
  /** Why no answer came, as a class of failure: `timeout`, `refused`. */
  failure: string | null;
  /** How much of the answer's body was read; never the body, which may contain secrets. */
  response_bytes: number | null;
}

export interface DeliveryAttemptTables {
  delivery_attempts: DeliveryAttemptsTable;
}
