import { describe, expect, it } from 'vitest';
import { SearchWindows, type Window } from '#worker/reconciliation/search-windows.js';

const hour = 3_600_000;

/** Searches a past in which events lie at `instants`, at most `most` of them in one window. */
function search(instants: readonly number[], [from, until]: [number, number], most: number) {
  const windows = new SearchWindows(from, until);
  const searched: Window[] = [];
  const found = new Set<number>();
  for (let window = windows.next(); window; window = windows.next()) {
    const { from: first, until: last } = window;
    searched.push(window);
    const inside = instants.filter((instant) => instant >= first && instant <= last);
    if (inside.length > most && !windows.isShortest(window)) {
      windows.wasTooMuch(window);
      continue;
    }
    for (const instant of inside) found.add(instant);
    windows.wasTaken(window);
  }
  return { searched, found: found.size };
}

describe('the time that is searched for events', () => {
  it('is none when there is nothing new', () => {
    expect(new SearchWindows(5, 5).next()).toBeUndefined();
    expect(new SearchWindows(6, 5).next()).toBeUndefined();
  });

  it('is divided into hours after an outage of days, without a gap', () => {
    const { searched } = search([], [0, 72 * hour], 10);
    expect(searched).toHaveLength(72);
    expect(searched.every(({ from }, nth) => from === nth * hour)).toBe(true);
  });

  it('is divided when it has too many events, and every event is found', () => {
    const crowd = Array.from({ length: 500 }, (_, nth) => 20 * hour + nth * 40);
    const sparse = Array.from({ length: 24 }, (_, nth) => nth * hour);
    const { searched, found } = search([...crowd, ...sparse], [0, 24 * hour], 50);
    expect(found).toBe(524 - 1);
    expect(searched.length).toBeLessThan(100);
  });

  it('is searched to its end when all events are at one instant', () => {
    const { found } = search(
      Array.from({ length: 100 }, (_, nth) => hour + nth / 1_000),
      [0, 2 * hour],
      10,
    );
    expect(found).toBe(100);
  });
});
