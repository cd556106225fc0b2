import { soundJson } from '../text/storable-text.js';
import type { News } from './notification-types.js';

/** The value of `NewsParameters.news`. */
export function newsRecords(news: readonly News[]): string {
  return soundJson(
    news.map(({ type, fact, after, ends, unless, version }, place) => ({
      type,
      fact,
      after,
      ends,
      unless,
      version,
      place,
    })),
  );
}
