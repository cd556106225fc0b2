import { describe, expect, it } from 'vitest';
import { batched } from '#database/connection';

/** Work that is held until it is let go, and what it was asked for. */
function heldWork() {
  const batches: { items: readonly number[]; end: (error?: unknown) => void }[] = [];
  const work = async (items: readonly number[]): Promise<number[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    batches.push({ items, end: (error) => (error === undefined ? resolve() : reject(error)) });
    await promise;
    return items.map((item) => item * 10);
  };
  return { batches, work };
}

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

async function refuseThirteen(items: readonly number[]): Promise<readonly number[]> {
  if (items.includes(13)) throw new Error('refused');
  return items;
}

describe('batched work', () => {
  it('is done once for all who ask in the same turn, and answers each of them', async () => {
    const { batches, work } = heldWork();
    const ask = batched(work, { largest: 64, concurrency: 1 });
    const answers = Promise.all([3, 1, 2].map(ask));
    await turnOfTheEventLoop();
    expect(batches.map(({ items }) => items)).toEqual([[3, 1, 2]]);
    batches[0]!.end();
    expect(await answers).toEqual([30, 10, 20]);
  });

  it('makes later items wait for the next batch, and no batch exceeds its size', async () => {
    const { batches, work } = heldWork();
    const ask = batched(work, { largest: 2, concurrency: 2 });
    const answers = Promise.all([1, 2, 3, 4, 5].map(ask));
    await turnOfTheEventLoop();
    const late = ask(6);
    await turnOfTheEventLoop();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    for (const { end } of batches) end();
    await turnOfTheEventLoop();
    expect(batches[2]!.items).toEqual([5, 6]);
    batches[2]!.end();
    expect(await Promise.all([answers, late])).toEqual([[10, 20, 30, 40, 50], 60]);
  });

  it('fails for all of a batch, and continues with the next', async () => {
    const { batches, work } = heldWork();
    const ask = batched(work, { largest: 64, concurrency: 1 });
    const failing = Promise.allSettled([1, 2].map(ask));
    await turnOfTheEventLoop();
    const next = ask(3);
    batches[0]!.end(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await turnOfTheEventLoop();
    batches[1]!.end();
    expect(await next).toBe(30);
  });

  it('does not fail for the others when one item is refused', async () => {
    const ask = batched(refuseThirteen, { largest: 64, concurrency: 1, isOneItemsFault: () => true });
    const settled = await Promise.allSettled([1, 13, 2].map(ask));
    expect(settled).toMatchObject([{ value: 1 }, { status: 'rejected' }, { value: 2 }]);
  });
});
