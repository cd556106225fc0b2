import { type PayoutState, isTerminal } from '#workflows/lifecycle/payout';
import type { BookedBatch } from '../provider/payout-books.js';
import type { Stage } from './stage.js';

export function watchPayouts({ watch, world }: Pick<Stage, 'watch' | 'world'>): void {
  watch({
    subjectChanged: (before, after) => {
      if (before?.kind !== 'payout' || !isTerminal((before.state as PayoutState).status)) return;
      if (after.status === before.status) return;
      world.violate('final undone', `${after.id} was told ${before.status}, and is ${after.status} now`);
    },
    commandChanged: () => undefined,
  });
}

/** Compares the shown batch and its items with the provider's books, once everything is at rest. */
export function judgePayout(stage: Stage, id: string): void {
  const { state } = stage.row<PayoutState>(id);
  const violate = (oracle: string, words: string) => stage.world.violate(oracle, `${id}: ${words}`);
  const batches = stage.provider.payouts.of(id);
  if (batches.length > 1) violate('money moved twice', `${batches.length} batches were made for it`);
  const run = stage.server.runs.get(stage.workflowId(id));
  if (!isTerminal(state.status))
    return violate('stuck', `it is ${state.status} for ever (${state.reason ?? 'no reason'})`);
  if (!run?.ended) return violate('stuck', `it is ${state.status}, and its run goes on for ever`);
  const [batch] = batches;
  const ends: Readonly<Record<string, string>> = { SUCCESS: 'completed', DENIED: 'denied' };
  const told = batch ? (ends[batch.status] ?? batch.status) : 'declined';
  if (told !== state.status)
    violate('told against the books', `it is told ${state.status}, the books say ${told}`);
  judgeItems(stage, id, batch, violate);
}

function judgeItems(
  { rows }: Stage,
  id: string,
  batch: BookedBatch | undefined,
  violate: (oracle: string, words: string) => void,
): void {
  for (const { item_id, status } of rows.items.get(id) ?? []) {
    const booked = batch?.items.find(({ senderItemId }) => senderItemId === item_id)?.status?.toLowerCase();
    if (booked === undefined || booked === status) continue;
    violate('told against the books', `item ${item_id} is told ${status}, the books say ${booked}`);
  }
}
