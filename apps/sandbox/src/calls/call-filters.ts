import { z } from 'zod';

/** A form sends what was left open as an empty text. */
export function orOpen<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

export const text = z
  .string()
  .trim()
  .max(200)
  .refine((value) => !value.includes('\0') && value.isWellFormed(), 'Must be plain text');

/** With or without seconds; UTC where no offset says otherwise, as the forms without a script send it. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/, 'Must be like 2026-01-31T09:00')
  .transform((value) => new Date(/(Z|[+-]\d\d:\d\d)$/.test(value) ? value : `${value}Z`))
  .refine((date) => Number.isFinite(date.getTime()), 'Must be a date that exists');

/** A place between two rows: the instant and the id of the row next to it. */
export const cursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z_[A-Za-z0-9-]{1,64}$/, 'Must be taken from a page’s links')
  .transform((value) => ({ at: new Date(value.slice(0, 24)), id: value.slice(25) }))
  .refine(({ at }) => Number.isFinite(at.getTime()), 'Must be taken from a page’s links');

export function writeCursor(at: Date, id: string): string {
  return `${at.toISOString()}_${id}`;
}

/** What the history of calls can be narrowed by (interface, section 1); everything given must hold. */
export const callFilters = {
  clientId: orOpen(text),
  accountId: orOpen(text),
  environment: orOpen(z.enum(['sandbox', 'live'])),
  /** `2xx`, `404`. */
  status: orOpen(z.string().regex(/^[1-5](xx|\d\d)$/, 'Must be like 404 or 4xx')),
  from: orOpen(instant),
  to: orOpen(instant),
  /** A part of the resource address, or a whole transaction id. */
  text: orOpen(text),
  /** Calls older than this place; `after`: newer ones. */
  before: orOpen(cursor),
  after: orOpen(cursor),
};

export type CallFilters = z.output<z.ZodObject<typeof callFilters>>;
