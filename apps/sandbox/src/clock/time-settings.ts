import { z } from 'zod';
import { REAL_DAY_MS } from './instants.js';

/*
 * Bounds of every setting that is a time: without them a due date could be beyond the calendar, and the calls and the
 * clock that compute with it would fail.
 */

const MOST_DAY_LENGTH_MS = 2 * REAL_DAY_MS;
const MOST_WAIT_MS = 366 * REAL_DAY_MS;

/** Length of a day of the service, in milliseconds. */
export const dayLength = z.int().positive().max(MOST_DAY_LENGTH_MS);

/** How long something lasts until the clock ends it, in milliseconds. */
export const wait = z.int().nonnegative().max(MOST_WAIT_MS);

/** A wait of at least one, in milliseconds. */
export const nonzeroWait = z.int().positive().max(MOST_WAIT_MS);
