/** Temporal did not take a call within its deadline. The call may have been taken all the same. */
export class TemporalAwayError extends Error {
  override readonly name = 'TemporalAwayError';

  constructor(readonly code: string) {
    super('Temporal cannot be reached.');
  }
}
