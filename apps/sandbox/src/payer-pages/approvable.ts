import type { AccountRow } from '../database/tables.js';
import type { SandboxContext } from '../sandbox-context.js';

/** What a payer can do with something now. */
export type PayerStanding = 'waiting' | 'approved' | 'expired';

/** Something that waits for its payer, or has been approved, as the payer's page shows it. */
export interface Approval {
  readonly token: string;
  readonly standing: PayerStanding;
  /** What the payer reads before agreeing: terms with their texts. */
  readonly summary: readonly (readonly [term: string, text: string])[];
  /** Who can be chosen to pay; empty once nothing can be chosen any more. */
  readonly payers: readonly AccountRow[];
  readonly payerId: string | null;
  /** Where the payer goes back to after agreeing. */
  readonly returnAddress: string;
}

/** A kind of thing that payers approve on a page: a payment, or an agreement. */
export interface Approvable {
  readonly path: '/checkout' | '/checkout/agreement';
  readonly words: ApprovalWords;
  find(context: SandboxContext, token: string): Promise<Approval | undefined>;
  /**
   * Answers the address to send the payer to, or undefined when there is nothing to approve any more.
   * @throws ApiError VALIDATION_ERROR for an account that cannot pay for it.
   */
  approve(context: SandboxContext, token: string, accountId?: string): Promise<string | undefined>;
  /** Answers the address to send the payer to, or undefined when there is nothing to cancel any more. */
  cancel(context: SandboxContext, token: string): Promise<string | undefined>;
}

interface ApprovalWords {
  readonly name: string;
  readonly question: string;
  readonly approved: string;
}
