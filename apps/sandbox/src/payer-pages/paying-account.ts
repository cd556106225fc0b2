import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { AccountRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { identifier } from '../http/validation.js';

/** A payer's message without a browser: which personal account pays; by default the environment's default payer. */
export const payerAction = z.strictObject({ accountId: identifier.optional() });

/** The accounts that may pay an application: the personal accounts of its own environment. */
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
