/**
 * The provider's day for a test in which 29 of them pass: long enough to act in for a machine that has just taken so
 * long to have one payment held, and short enough to be waited for.
 */
export async function dayLengthFor(usualMs: number, holdOnePayment: () => Promise<unknown>): Promise<number> {
  // The first one also warms up what others find warm.
  await holdOnePayment();
  const startedAt = Date.now();
  await holdOnePayment();
  return Math.min(Math.max(usualMs, 2 * (Date.now() - startedAt)), 6_000);
}
