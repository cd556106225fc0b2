/** Something that our records and the provider's say differently, in words for an operator. */
export interface Difference {
  /** What it is about: a resource as a whole, a part of it, or the run. */
  readonly field: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Nothing is decided by a comparison and nothing mended: what a lifecycle cannot follow is for a person to see. */
export function differing(compared: readonly Difference[]): Difference[] {
  return compared.filter(({ ours, theirs }) => ours !== theirs);
}
