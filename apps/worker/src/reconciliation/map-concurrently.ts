/** After so many failures without a success the other side is away; the items are not the cause. */
const usualFailuresUntilStop = 12;

export interface Failed<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * Does the work for each item, some at the same time. A failed item does not stop the others, or it would stop them
 * each time. The rest is left only if all items so far have failed.
 *
 * @param failuresUntilStop infinite for items that have no side in common.
 * @returns the number of successes, and the failed items.
 */
export async function mapConcurrently<Item>(
  concurrency: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  failuresUntilStop = usualFailuresUntilStop,
): Promise<{ readonly done: number; readonly failed: readonly Failed<Item>[] }> {
  const waiting = items[Symbol.iterator]();
  const failed: Failed<Item>[] = [];
  let done = 0;
  const takeTurns = async (): Promise<void> => {
    while (done > 0 || failed.length < failuresUntilStop) {
      const turn = waiting.next();
      if (turn.done) return;
      try {
        await work(turn.value);
        done += 1;
      } catch (error) {
        failed.push({ item: turn.value, error });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, takeTurns));
  return { done, failed };
}
