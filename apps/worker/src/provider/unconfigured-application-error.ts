/** A run's application is not configured in this worker. Nothing was sent; the run waits until it is configured. */
export class UnconfiguredApplicationError extends Error {
  override readonly name = 'UnconfiguredApplicationError';
}
