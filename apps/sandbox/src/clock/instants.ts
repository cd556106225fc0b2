/** One day of the service when no setting shortens it, in milliseconds. */
export const REAL_DAY_MS = 86_400_000;

/** Section 8 of the interface: the period over which capture of an authorization can be attempted. */
const CAPTURE_WINDOW_DAYS = 29;

/** Section 8 of the interface: the funds of an authorization are guaranteed for three days. */
const HONOUR_PERIOD_DAYS = 3;

/** Deliveries are repeated over three days of the service. */
const DELIVERY_WINDOW_DAYS = 3;

/** How often a delivery is repeated after its first attempt failed. */
export const DELIVERY_RETRIES = 25;

/** The wall-clock instant at which an authorization made at `createdAt` expires, by a day of `dayLengthMs`. */
export function captureDeadline(createdAt: Date, dayLengthMs: number): Date {
  return new Date(createdAt.getTime() + CAPTURE_WINDOW_DAYS * dayLengthMs);
}

/** The end of the honour period of an authorization created, or reauthorized, at `authorizedAt`. */
export function honourDeadline(authorizedAt: Date, dayLengthMs: number): Date {
  return new Date(authorizedAt.getTime() + HONOUR_PERIOD_DAYS * dayLengthMs);
}

/**
 * When a delivery is attempted again after `failures` failed attempts, or null when it is given up. No schedule is
 * published, so the attempts follow a cubic curve over three days: seconds after the first failure, hours apart at the
 * end.
 */
export function nextDeliveryAttempt(firstDueAt: Date, failures: number, dayLengthMs: number): Date | null {
  if (failures > DELIVERY_RETRIES) return null;
  const share = (failures / DELIVERY_RETRIES) ** 3;
  return new Date(firstDueAt.getTime() + Math.ceil(share * DELIVERY_WINDOW_DAYS * dayLengthMs));
}
