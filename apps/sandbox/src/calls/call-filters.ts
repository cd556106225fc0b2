import { z } from 'zod';
import { orAbsent } from '../http/validation.js';

export const text = z
  .string()
  .trim()
  .max(200)
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'Must be plain text');

/** With or without seconds; UTC by default, because forms without a script send no offset. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/;
export const DAY = /^\d{4}-\d\d-\d\d$/;

const noSuchDate = 'Must be a date that exists';

/** A day means its first or its last instant, in UTC: both days of a period are included. */
function instantOr(timeOfDay: string) {
  return (
    z
      .string()
      .refine((text) => INSTANT.test(text) || DAY.test(text), {
        message: 'Must be like 2026-01-31 or 2026-01-31T09:00',
        abort: true,
      })
      // `Date` accepts 30 February, which no calendar has.
      .refine((text) => z.iso.date().safeParse(text.slice(0, 10)).success, {
        message: noSuchDate,
        abort: true,
      })
      .transform((text) => (DAY.test(text) ? `${text}T${timeOfDay}` : text))
      .transform((text) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
      .refine((date) => Number.isFinite(date.getTime()), noSuchDate)
  );
}

/** The bounds of a search, both optional, as instants or days. */
export const periodFilters = {
  from: orAbsent(instantOr('00:00')),
  to: orAbsent(instantOr('23:59:59.999')),
};

/** A position between two rows: the instant and the id of the row next to it. */
export const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[A-Za-z0-9-]{1,64}$/, 'Must be taken from a page’s links')
  .transform((value) => ({ at: new Date(value.slice(0, 24)), id: value.slice(25) }))
  .refine(({ at }) => Number.isFinite(at.getTime()), 'Must be taken from a page’s links');

export function writeCursor(at: Date, id: string): string {
  return `${at.toISOString()}_${id}`;
}

/** The filters of the call history (interface, section 1); all given ones must match. */
export const callFilters = {
  clientId: orAbsent(text),
  accountId: orAbsent(text),
  environment: orAbsent(z.enum(['sandbox', 'live'])),
  /** `2xx`, `404`. */
  status: orAbsent(z.string().regex(/^[1-5](xx|\d\d)$/, 'Must be like 404 or 4xx')),
  ...periodFilters,
  /** A part of the resource address, or a whole transaction id. */
  text: orAbsent(text),
  /** Calls older than this position; `after`: newer ones. */
  before: orAbsent(cursor),
  after: orAbsent(cursor),
};

export type CallFilters = z.output<z.ZodObject<typeof callFilters>>;
