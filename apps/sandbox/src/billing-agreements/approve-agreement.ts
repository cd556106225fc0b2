import type { SandboxContext } from '../context/sandbox-context.js';
import type { AgreementRow } from '../database/tables.js';
import { withQuery } from '../payer-pages/address.js';
import type { PayerStanding } from '../payer-pages/approvable.js';
import { payingAccount } from '../payer-pages/paying-account.js';
import { approvedBy } from '../payments/approval-decision.js';

/** What the payer can do with an agreement now. */
export function approvalStandingOf(agreement: AgreementRow, now: Date): PayerStanding {
  if (agreement.payer_approved_at !== null) return 'approved';
  return agreement.expires_at <= now ? 'expired' : 'waiting';
}

export function findByToken(context: SandboxContext, token: string): Promise<AgreementRow | undefined> {
  return context.database
    .selectFrom('billing_agreements')
    .selectAll()
    .where('token', '=', token)
    .executeTakeFirst();
}

/**
 * The payer approves and names the account that pays. Until the agreement is executed the payer may come back and
 * choose another account. Returns the redirect address, or undefined when there is nothing left to approve.
 * @throws ApiError VALIDATION_ERROR when the environment of the agreement has no such personal account.
 */
export async function approveAgreement(
  context: SandboxContext,
  token: string,
  accountId?: string,
): Promise<string | undefined> {
  const agreement = await findByToken(context, token);
  if (agreement === undefined) return undefined;
  const payer = await payingAccount(context, agreement.client_id, accountId);
  const now = new Date();
  await context.database
    .updateTable('billing_agreements')
    .set({ ...approvedBy(payer, now), updated_at: now })
    .where('token', '=', token)
    .where('id', 'is', null)
    .where((where) => where.or([where('payer_approved_at', 'is', null), where('payer_id', '<>', payer.id)]))
    .where('expires_at', '>', now)
    .execute();
  const current = await findByToken(context, token);
  return current?.payer_approved_at ? returnAddress(current) : undefined;
}

/**
 * The payer cancels. The agreement does not change: the payer may come back to it until it expires. Returns the
 * redirect address, or undefined when there is nothing left to cancel.
 */
export async function cancelAgreementApproval(
  context: SandboxContext,
  token: string,
): Promise<string | undefined> {
  const agreement = await findByToken(context, token);
  if (agreement === undefined || approvalStandingOf(agreement, new Date()) !== 'waiting') return undefined;
  return withQuery(agreement.terms.preferences.cancelUrl, { token });
}

export function returnAddress({ terms, token }: AgreementRow): string {
  return withQuery(terms.preferences.returnUrl, { token });
}
