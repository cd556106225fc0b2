import { type ShownPayment, findSubjectsOfResources } from '#database/subjects';
import type { SubscriptionStepInput } from '#workflows/contract';
import type { Billing } from '#workflows/lifecycle/subscription';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError } from '../provider/provider-facts.js';
import { secondOf } from '../provider/unconfirmed-payments.js';
import type { ActivityContext } from '../steps/activities/context.js';

/**
 * A list can be another agreement's, and only a sale names its agreement. So one unexpected sale of a list is read. A
 * sale is expected if it is recorded, or if it is the latest payment that the agreement shows: a cycle costs no call.
 *
 * @throws {UnreadableAnswerError} if the list has another agreement's sale.
 */
export async function requireOwnSales(
  { db, providers }: ActivityContext,
  { identity, state }: Pick<SubscriptionStepInput, 'identity' | 'state'>,
  payments: readonly ShownPayment[],
  { lastPaymentAt = 0 }: Pick<Billing, 'lastPaymentAt'>,
): Promise<void> {
  const sales = payments.filter(({ isSale }) => isSale);
  const ids = sales.map(({ transactionId }) => transactionId);
  const subjects = await findSubjectsOfResources(db, identity, ids);
  const isOthers = (id: string) => (subjects.get(id) ?? identity.subscriptionId) !== identity.subscriptionId;
  const unknown = sales
    .filter(
      ({ transactionId, at }) =>
        !subjects.has(transactionId) && secondOf(at.getTime()) !== secondOf(lastPaymentAt),
    )
    .map(({ transactionId }) => transactionId);
  const unexpected = ids.find(isOthers) ?? unknown.at(-1);
  if (unexpected === undefined) return;
  const { agreementId } = await providers.for(identity).sales.get(unexpected, { signal: lookLimit() });
  // An answer that is cut short names none.
  const isOwn = agreementId === undefined ? !isOthers(unexpected) : agreementId === state.agreementId;
  if (!isOwn) throw new UnreadableAnswerError();
}
