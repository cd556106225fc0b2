import type { Command, PaymentView } from '../order-service.js';

/** Everything that the engine told the order service about one payment. */
export interface AuthorizeRecord {
  readonly commands: Command[];
  /** Commands that were sent again after their answer was final, and what the engine said then. */
  readonly repeats: { readonly first: Command; readonly again: Command }[];
  /** What the engine says in the end. */
  final?: PaymentView;
}

/** A 402 too is the outcome of a request that was taken; a refusal takes none, and a later one may be answered otherwise. */
export function acceptedCommands({ commands }: AuthorizeRecord): Command[] {
  return commands.filter(({ outcome }) => outcome === 'succeeded' || outcome === 'failed');
}

export function paymentIdOf({ commands }: AuthorizeRecord): string | undefined {
  return commands.find(({ kind }) => kind === 'create')?.payment?.id;
}
