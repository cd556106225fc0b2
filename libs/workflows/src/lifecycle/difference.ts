/** A difference between our records and the provider's, in words for an operator. */
export interface Difference {
  /** What it is about: a resource as a whole, a part of it, or the run. */
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A comparison decides and corrects nothing: it shows an operator what a lifecycle cannot follow. */
export function differing(compared: readonly Difference[]): Difference[] {
  return compared.filter(({ ours, theirs }) => ours !== theirs);
}
