import { type ApplicationName, nameOf } from '#configuration';

/** Bounds of the time after which a step without a place comes again, in milliseconds. */
const [shortestWait, longestWait] = [100, 10_000];

/**
 * The places of a worker's steps, shared out among its applications. One whose provider hangs never gets all of them:
 * an application gets another place only while it holds fewer than are free. So one can hold a half of them, two can
 * hold two thirds, and there is always one for an application that has none.
 */
export class StepPlaces {
  /** When each place of an application was taken. */
  private readonly held = new Map<string, Set<{ readonly since: number }>>();
  /** How long the latest step of an application took that has ended. */
  private readonly latest = new Map<string, number>();

  /** @param most all places of the worker. */
  constructor(private readonly most: number) {}

  /** @returns a function that gives the place back; undefined if the step has to come again. */
  take(application: ApplicationName): (() => void) | undefined {
    const name = nameOf(application);
    const places = this.held.get(name) ?? new Set();
    if (places.size >= this.most - this.taken()) return undefined;
    const place = { since: performance.now() };
    this.held.set(name, places.add(place));
    return () => {
      places.delete(place);
      this.latest.set(name, performance.now() - place.since);
    };
  }

  /** About as long as a step of the application takes now: then one of its places may be free. */
  comesAgainInMs(application: ApplicationName): number {
    const name = nameOf(application);
    const [oldest] = this.held.get(name) ?? [];
    const underWay = oldest ? performance.now() - oldest.since : 0;
    const usual = Math.max(underWay, this.latest.get(name) ?? 0);
    return Math.round(Math.min(longestWait, Math.max(shortestWait, usual)));
  }

  private taken(): number {
    return [...this.held.values()].reduce((sum, { size }) => sum + size, 0);
  }
}
