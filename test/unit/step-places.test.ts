import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { StepPlaces } from '#worker/steps/activities/step-places.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const owner = (application: string) => ({ environment: 'sandbox', application });

/** How many places each of them gets, one after the other, while no step ends. */
function heldBy(places: StepPlaces, names: readonly string[]): number[] {
  return names.map((name) => {
    let count = 0;
    while (count < 1_000 && places.take(owner(name))) count += 1;
    return count;
  });
}

it.each([
  [50, [25, 13, 6, 3]],
  [2, [1, 1, 0, 0]],
  [1, [1, 0, 0, 0]],
  [Number.POSITIVE_INFINITY, [1_000, 1_000, 1_000, 1_000]],
])('of %i places an application gets half of those that others leave: %j', (most, held) => {
  expect(heldBy(new StepPlaces(most), ['a', 'b', 'c', 'd'])).toEqual(held);
});

it('a place that is given back is free again', () => {
  const places = new StepPlaces(2);
  const leave = places.take(owner('a'));
  expect(places.take(owner('a'))).toBeUndefined();
  leave?.();
  expect(places.take(owner('a'))).toBeDefined();
});

it('a step comes again after as long as those of its application take, and never soon while they hang', () => {
  vi.advanceTimersByTime(5_000);
  const places = new StepPlaces(2);
  const leave = places.take(owner('a'));
  expect(places.comesAgainInMs(owner('a'))).toBe(100);
  vi.advanceTimersByTime(700);
  expect(places.comesAgainInMs(owner('a'))).toBe(700);
  vi.advanceTimersByTime(60_000);
  expect(places.comesAgainInMs(owner('a'))).toBe(10_000);
  leave?.();
  places.take(owner('a'));
  expect(places.comesAgainInMs(owner('a'))).toBe(10_000);
  expect(places.comesAgainInMs(owner('b'))).toBe(100);
});

it('a step comes again after as long as the last of its application took', () => {
  vi.advanceTimersByTime(5_000);
  const places = new StepPlaces(2);
  const leave = places.take(owner('a'));
  vi.advanceTimersByTime(300);
  leave?.();
  expect(places.comesAgainInMs(owner('a'))).toBe(300);
});
