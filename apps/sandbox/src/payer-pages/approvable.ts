import type { SandboxContext } from '../context/sandbox-context.js';
import type { AccountRow } from '../database/tables.js';

/** What a payer can do with something now. */
export type PayerStanding = 'waiting' | 'approved' | 'expired';

/** Something that waits for its payer, or has been approved, as the payer's page shows it. */
export interface Approval {
  readonly token: string;
  readonly standing: PayerStanding;
  /** What the payer reads before agreeing: terms with their texts. */
  readonly summary: readonly (readonly [term: string, text: string])[];
  /** The accounts that can be chosen to pay; empty once nothing can be chosen any more. */
  readonly payers: readonly AccountRow[];
  readonly payerId: string | null;
  /** Where the payer is redirected after approving. */
  readonly returnAddress: string;
}

/** A kind of subject that payers approve on a page: a payment, or an agreement. */
export interface Approvable {
  readonly path: '/checkout' | '/checkout/agreement';
  readonly words: ApprovalWords;
  find(context: SandboxContext, token: string): Promise<Approval | undefined>;
  /**
   * Returns the redirect address, or undefined when there is nothing left to approve.
   * @throws ApiError VALIDATION_ERROR for an account that cannot pay for it.
   */
  approve(context: SandboxContext, token: string, accountId?: string): Promise<string | undefined>;
  /** Returns the redirect address, or undefined when there is nothing left to cancel. */
  cancel(context: SandboxContext, token: string): Promise<string | undefined>;
}

interface ApprovalWords {
  readonly name: string;
  readonly question: string;
  readonly approved: string;
}
