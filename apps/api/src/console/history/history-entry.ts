/** One thing that happened to a subject, in a sentence with its actor. */
export interface HistoryEntry {
  readonly at: number;
  readonly actor: string;
  readonly text: string;
  /** What is said besides: a reason, a refusal. */
  readonly note?: string | undefined;
  readonly mark?: 'good' | 'caution' | 'bad' | 'to-come' | undefined;
  readonly href?: string | undefined;
}
