import { expect, test } from 'vitest';
import { SendingPlaces } from '#api/notifications/sending-places.js';

/** Work that ends when the test says so. */
function work(begun: string[], name: string) {
  const end = Promise.withResolvers<string>();
  const start = async () => {
    begun.push(name);
    return await end.promise;
  };
  return { start, end };
}

test('what finds no place waits for the next one in order, whether the work before it succeeds or not', async () => {
  const places = new SendingPlaces(2);
  const begun: string[] = [];
  const works = ['a', 'b', 'c', 'd'].map((name) => work(begun, name));
  const results = works.map(async ({ start }) => await places.take('one', start));
  const other = work(begun, 'other');
  const otherResult = places.take('two', other.start);
  expect(begun).toEqual(['a', 'b', 'other']);

  works[1]!.end.reject(new Error('b'));
  await expect(results[1]).rejects.toThrow('b');
  expect(begun).toEqual(['a', 'b', 'other', 'c']);
  works[0]!.end.resolve('a');
  expect(await results[0]).toBe('a');
  expect(begun).toEqual(['a', 'b', 'other', 'c', 'd']);

  for (const { end } of [...works, other]) end.resolve('done');
  expect(await Promise.all([results[2], results[3], otherResult])).toEqual(['done', 'done', 'done']);
  const next = work(begun, 'next');
  next.end.resolve('next');
  expect(await places.take('one', next.start)).toBe('next');
});
