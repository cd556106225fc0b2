/** Temporal did not answer a call within its deadline. The call may still have taken effect. */
export class TemporalAwayError extends Error {
  override readonly name = 'TemporalAwayError';

  constructor(readonly code: string) {
    super('Temporal cannot be reached.');
  }
}
