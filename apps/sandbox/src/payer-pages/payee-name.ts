import type { SandboxContext } from '../context/sandbox-context.js';

/** Whom payers pay: the shop by its name, where its account has one. */
export function payeeName({ accounts }: SandboxContext, payeeId: string): string {
  return accounts.businessNameOf(payeeId) ?? `Account ${payeeId}`;
}
