import type { AttemptRow } from '#database/schema';
import type { PaymentsClient, Refund, Transaction } from '#payments-client';
import type { RefundStepInput } from '#workflows/contract';
import type { RefundEvent, RefundRequestClaim } from '#workflows/lifecycle/refund';
import type { LookHint } from '#workflows/lifecycle/step';
import { clockSkewMs } from '../provider/clock-skew.js';
import { lookLimit } from '../provider/provider-clients.js';
import { answeredRefund, findCollected, hasGivenBack, mayBeOf, moneyOf } from '../provider/refund-facts.js';
import { type LookupResult, readable } from '../steps/lookups/look-up-step.js';
import type { ActivityContext } from '../steps/activities/context.js';

interface RefundSearch extends LookHint {
  /** Which of the equal refunds without a reference may be the requested one: all, unless a person has named one. */
  readonly unclearOf?: (nameless: readonly Refund[]) => readonly Refund[];
}

/** Searches the payment's refunds at the provider for one with a reference of ours. */
export async function lookUpRefundRequest(
  { providers }: ActivityContext,
  { identity, state: { claim } }: RefundStepInput,
  attempts: readonly AttemptRow[],
  { resourceId, unclearOf = (nameless) => nameless }: RefundSearch = {},
): Promise<LookupResult<RefundEvent>> {
  if (claim.kind !== 'request') throw new Error('a refund made elsewhere has no request to look up');
  const client = providers.for(identity);
  const seen = await readable(searchInPayment(client, claim, attempts, unclearOf));
  const isOpen = seen === 'absent' || seen === 'unreadable';
  if (!isOpen || resourceId === undefined) return seen;
  return (await readHintedRefund(client, claim, attempts, resourceId)) ?? seen;
}

/** Reads the refund that an event has named, because the payment's read may lag. It is ours if it has our reference. */
async function readHintedRefund(
  { refunds }: PaymentsClient,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  id: string,
): Promise<RefundEvent | undefined> {
  const refund = await readable<Refund>(refunds.get(id, { signal: lookLimit() }));
  if (typeof refund === 'string' || !('amount' in refund)) return undefined;
  const isOurs =
    attempts.some(({ reference }) => reference === refund.invoiceNumber) &&
    mayBeOf(claim.collected.id)(refund);
  return isOurs ? { type: 'refundAnswered', refund: answeredRefund(refund, claim) } : undefined;
}

async function searchInPayment(
  { payments }: PaymentsClient,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  unclearOf: NonNullable<RefundSearch['unclearOf']>,
): Promise<LookupResult<RefundEvent>> {
  const { transactions } = await payments.get(claim.providerPaymentId, { signal: lookLimit() });
  const refunds = transactions.flatMap((transaction) => transaction.refunds);
  const made = refunds.find(({ invoiceNumber }) =>
    attempts.some(({ reference }) => reference === invoiceNumber),
  );
  if (made) return { type: 'refundAnswered', refund: answeredRefund(made, claim) };
  const nameless = refunds.filter((refund) => mayBeIt(refund, claim, attempts));
  const isUnclear = unclearOf(nameless).length > 0;
  return showsItsRefunds(transactions, claim) && !isUnclear ? 'absent' : 'unreadable';
}

/** An incomplete answer proves nothing: it must show the capture or sale, and refunds if money went back. */
function showsItsRefunds(
  transactions: readonly Transaction[],
  { collected: { id } }: RefundRequestClaim,
): boolean {
  const source = findCollected(transactions, id);
  if (!source) return false;
  return (
    !hasGivenBack(source.state) ||
    source.reasonCode === 'CHARGEBACK' ||
    transactions.some(({ refunds }) => refunds.some(mayBeOf(id)))
  );
}

/** A refund of the same amount without a reference that is not older than the request. */
export function mayBeIt(
  refund: Refund,
  { collected, amount }: RefundRequestClaim,
  attempts: readonly AttemptRow[],
): boolean {
  const { invoiceNumber, amount: shown, createTime } = refund;
  const [first] = attempts;
  const isFromBefore =
    first !== undefined && Date.parse(createTime ?? '') < first.begun_at.getTime() - clockSkewMs;
  return (
    invoiceNumber === undefined &&
    mayBeOf(collected.id)(refund) &&
    moneyOf(shown).minor === amount.minor &&
    !isFromBefore
  );
}
