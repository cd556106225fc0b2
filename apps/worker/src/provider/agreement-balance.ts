import type { ShownPayment } from '#database/subjects';
import type { PaymentsClient } from '#payments-client';
import {
  type AgreementFacts,
  type SeenBalance,
  type ShownBalance,
  type SubscriptionState,
  isOlder,
} from '#workflows/lifecycle/subscription';
import { agreementFactsOf } from './agreement-facts.js';
import { readPayments } from './agreement-payments.js';
import { lookLimit } from './provider-clients.js';
import { UnreadableAnswerError } from './provider-facts.js';
import { isLatestListed, leavesOutLatest } from './unconfirmed-payments.js';

/** Names an agreement, the amount of a billing of its balance, and since when its payments are listed. */
export interface BilledBalance {
  readonly agreementId: string;
  readonly minor: number;
  readonly currency: string;
  readonly since: number;
}

/**
 * Reads what a later read is compared with. The agreement is read first: a cycle that is billed meanwhile then counts as
 * a later one, so its sale is not taken for the billing.
 *
 * @throws {UnreadableAnswerError} also if the list lacks the latest payment that the agreement shows, or the agreement is
 *   shown as before a change that is known: a sale from before that change would be taken for the billing.
 */
export async function readBalanceBefore(
  client: PaymentsClient,
  state: SubscriptionState,
  billed: BilledBalance,
): Promise<SeenBalance> {
  const facts = await readWholeFacts(client, billed);
  if (isOlder(state, facts)) throw new UnreadableAnswerError();
  const payments = await readList(client, billed);
  if (await isCut(client, payments, facts, billed)) throw new UnreadableAnswerError();
  const { outstandingMinor, cyclesCompleted, updatedAt } = facts.billing;
  const saleIds = salesOf(payments, billed).map(({ id }) => id);
  const seen = { outstandingMinor, cyclesCompleted, since: billed.since, saleIds };
  return updatedAt === undefined ? seen : { ...seen, updatedAt };
}

/** Reads whether it was billed. The payments are read first: a cycle that is billed meanwhile then explains a sale. */
export async function readBalanceAfter(client: PaymentsClient, billed: BilledBalance): Promise<ShownBalance> {
  const payments = await readList(client, billed);
  const facts = await readWholeFacts(client, billed);
  return { facts, sales: salesOf(payments, billed), isCut: await isCut(client, payments, facts, billed) };
}

/** @throws {UnreadableAnswerError} for an answer without details, which would show that nothing is outstanding. */
export async function readWholeFacts(
  client: PaymentsClient,
  { agreementId, currency }: Pick<BilledBalance, 'agreementId' | 'currency'>,
): Promise<AgreementFacts> {
  const agreement = await client.agreements.get(agreementId, { signal: lookLimit() });
  const { outstandingBalance, cyclesCompleted } = agreement.details;
  if (outstandingBalance === undefined || cyclesCompleted === undefined) throw new UnreadableAnswerError();
  return agreementFactsOf(agreement, currency);
}

async function readList(
  client: PaymentsClient,
  { agreementId, currency, since }: BilledBalance,
): Promise<readonly ShownPayment[]> {
  return await readPayments(client, agreementId, currency, { since, until: Date.now() });
}

function salesOf(payments: readonly ShownPayment[], { minor }: BilledBalance): ShownBalance['sales'] {
  return payments
    .filter((payment) => payment.isSale && payment.minor === minor)
    .map(({ transactionId, at, status }) => ({
      id: transactionId,
      at: at.getTime(),
      hasFailed: status === 'failed',
    }));
}

/**
 * Whether the list lacks the latest payment that the agreement shows, whatever the provider's clock says. One that was
 * pending before is listed with the instant of its start.
 */
async function isCut(
  client: PaymentsClient,
  payments: readonly ShownPayment[],
  { billing }: AgreementFacts,
  { since }: BilledBalance,
): Promise<boolean> {
  if (!leavesOutLatest({ payments, billing, since, readAt: Infinity })) return false;
  return !(await isLatestListed(client, { payments, billing }));
}
