export interface BatchOptions {
  /** Items of one batch. */
  readonly largest: number;
  /** Batches under way at the same time; who comes meanwhile waits for the next one. */
  readonly concurrency: number;
  /** True for an error that one item may have brought upon the others of its batch: then each is tried alone. */
  readonly isOneItemsFault?: (error: unknown) => boolean;
}

/**
 * Lets many callers of one thing share the work: what is asked for in the same turn of the event loop, or while earlier
 * batches are under way, goes together; alone, a caller waits for nobody. Each is answered when the work of its own
 * batch is done, with its own result or with the error of all.
 *
 * @param work answers each item at its place.
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
