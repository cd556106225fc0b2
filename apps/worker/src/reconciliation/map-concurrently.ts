/** So many failures and nothing else are no fault of the items: the other side is away. */
const failuresUntilStop = 12;

export interface Failed<Item> {
  readonly item: Item;
  readonly error: unknown;
}

/**
 * Does the work for each item, some at the same time. One that fails keeps no other from its turn, or it would do so
 * again each time; only where nothing but failures has come is the rest left.
 *
 * @returns how many were done, and those that failed.
 */
export async function mapConcurrently<Item>(
  concurrency: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
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
