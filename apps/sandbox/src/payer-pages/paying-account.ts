import { z } from 'zod';
import type { AccountRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { identifier } from '../http/validation.js';
import type { SandboxContext } from '../sandbox-context.js';

/** What the payer says without a browser: which personal account pays; the environment's default one where none is named. */
export const payerAction = z.strictObject({ accountId: identifier.optional() });

/** Who may pay what an application asks for: the personal accounts of its own environment. */
export async function payersFor(context: SandboxContext, clientId: string): Promise<AccountRow[]> {
  const { environment } = await context.applications.get(clientId);
  return context.accounts.listPayers(environment);
}

/**
 * The account that was chosen to pay, or the environment's default payer.
 * @throws ApiError VALIDATION_ERROR when the application's environment has no such personal account.
 */
export async function payingAccount(
  context: SandboxContext,
  clientId: string,
  accountId: string | undefined,
): Promise<AccountRow> {
  const { environment } = await context.applications.get(clientId);
  const payer =
    accountId === undefined
      ? context.accounts.defaultPayer(environment)
      : await context.accounts.findPayer(environment, accountId);
  if (payer === undefined) throw ApiError.invalid('accountId', 'No such personal account');
  return payer;
}
