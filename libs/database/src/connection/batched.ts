export interface BatchOptions {
  /** Items of one batch. */
  readonly largest: number;
  /** The most batches under way at the same time; later items wait for the next batch. */
  readonly concurrency: number;
  /** True for an error that a single item may have caused: then each item of the batch is tried alone. */
  readonly isOneItemsFault?: (error: unknown) => boolean;
}

/**
 * Combines concurrent calls into batches: calls in the same turn of the event loop, or while earlier batches are under
 * way, share one batch. A single call does not wait. Each call gets its own result, or the error of its batch.
 *
 * @param work returns the result of each item at its index.
 */
export function batched<In, Out>(
  work: (items: readonly In[]) => Promise<readonly Out[]>,
  { largest, concurrency, isOneItemsFault = () => false }: BatchOptions,
): (item: In) => Promise<Out> {
  const waiting: Asked<In, Out>[] = [];
  let underWay = 0;
  let isStartDue = false;

  const answer = async (batch: readonly Asked<In, Out>[]): Promise<void> => {
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [place, { resolve }] of batch.entries()) resolve(results[place] as Out);
    } catch (error) {
      if (batch.length > 1 && isOneItemsFault(error)) for (const one of batch) await answer([one]);
      else for (const { reject } of batch) reject(error);
    }
  };
  const carryOut = async (batch: readonly Asked<In, Out>[]): Promise<void> => {
    underWay += 1;
    await answer(batch);
    underWay -= 1;
    startNext();
  };
  const startNext = (): void => {
    isStartDue = false;
    if (underWay >= concurrency || waiting.length === 0) return;
    void carryOut(waiting.splice(0, largest));
    startNext();
  };
  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    waiting.push({ item, resolve, reject });
    if (!isStartDue && underWay < concurrency) {
      isStartDue = true;
      setImmediate(startNext);
    }
    return promise;
  };
}

interface Asked<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
}
