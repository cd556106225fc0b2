import { describe, expect, it } from 'vitest';
import { KeptLists } from '#database/subjects/kept-lists.js';

/** Lists of the length that each id ends with, at the mark that they have now; and which were read. */
function book() {
  const kept = new KeptLists<string>(10);
  const reads: string[] = [];
  const get = async (id: string, mark = 'now') => {
    const { list } = await kept.get(id, mark, async () => {
      reads.push(`${id} ${mark}`);
      return { mark, list: Array.from({ length: Number(id.split('-')[1]) }, () => `${id} ${mark}`) };
    });
    return list;
  };
  return { kept, reads, get };
}

describe('a cached list', () => {
  it('is read once for any number of concurrent and later readers, until it changes', async () => {
    const { reads, get } = book();
    await Promise.all(Array.from({ length: 50 }, () => get('a-3')));
    expect(await get('a-3')).toEqual(Array.from({ length: 3 }, () => 'a-3 now'));
    expect(reads).toEqual(['a-3 now']);
    expect(await get('a-3', 'later')).toContain('a-3 later');
    expect(await get('a-3', 'later')).toContain('a-3 later');
    expect(reads).toEqual(['a-3 now', 'a-3 later']);
  });

  it('that has changed while it was read shows its mark, and is read again only by those who know of the change', async () => {
    const { kept, get, reads } = book();
    const newer = { mark: 'later', list: ['newer'] };
    expect(await kept.get('a-3', 'now', async () => newer)).toBe(newer);
    expect(await get('a-3', 'later')).toEqual(['newer']);
    expect(reads).toEqual([]);
  });

  it('is removed for others when it was unused for longest', async () => {
    const { reads, get } = book();
    for (const id of ['a-5', 'b-5', 'a-5', 'c-5', 'a-5', 'b-5']) await get(id);
    expect(reads).toEqual(['a-5 now', 'b-5 now', 'c-5 now', 'b-5 now']);
  });

  it('is cached alone when it is longer than the limit for all lists', async () => {
    const { reads, get } = book();
    for (const id of ['a-5', 'b-50', 'b-50', 'a-5', 'b-50']) await get(id);
    expect(reads).toEqual(['a-5 now', 'b-50 now', 'a-5 now', 'b-50 now']);
  });

  it('is read again after a read that has failed', async () => {
    const { kept, get } = book();
    await expect(kept.get('a-3', 'now', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await get('a-3')).toHaveLength(3);
  });
});
