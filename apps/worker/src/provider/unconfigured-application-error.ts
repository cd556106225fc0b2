/** A run names an application that this worker is not configured for. Nothing was sent; the run waits until it is. */
export class UnconfiguredApplicationError extends Error {
  override readonly name = 'UnconfiguredApplicationError';
}
