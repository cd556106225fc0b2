import type { PayoutItemRow } from '#database/schema';
import type { PayoutView } from '#database/subjects';
import { type Refusal, refusalIn } from '#workflows/lifecycle';
import { transition } from '#workflows/lifecycle/payout';

/** Why an item cannot be cancelled now. */
export function refusalOfCancellation(
  { item_id: itemId, status, provider_item_id: providerItemId }: PayoutItemRow,
  { state }: Pick<PayoutView, 'state'>,
  now: number,
): Refusal | undefined {
  if (status === 'unclaimed' && providerItemId) {
    const event = { type: 'itemCancelRequested', commandId: '', itemId, providerItemId } as const;
    return refusalIn(transition(state, event, now));
  }
  return {
    code: 'item_not_unclaimed',
    reason: `Only an unclaimed item can be cancelled; this one is ${status}.`,
  };
}

/** The commands that an item allows now. */
export function itemActions(...asked: Parameters<typeof refusalOfCancellation>): 'cancel'[] {
  return refusalOfCancellation(...asked) ? [] : ['cancel'];
}
