import type { Command, PaymentView } from '../order-service.js';

/** Everything that the engine told the order service about one payment. */
export interface AuthorizeRecord {
  readonly commands: Command[];
  /** Commands that were sent again after they had succeeded, and what the engine said then. */
  readonly repeats: { readonly first: Command; readonly again: Command }[];
  /** What the engine says in the end. */
  final?: PaymentView;
}

export function paymentIdOf({ commands }: AuthorizeRecord): string | undefined {
  return commands.find(({ kind }) => kind === 'create')?.payment?.id;
}
