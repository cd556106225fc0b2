import { z } from 'zod';
import type { SubjectKind } from '#workflows/contract';
import { idPattern } from './ids.js';
import { wholeNumber } from './fields.js';

/** The position at which a list continues. It is opaque to callers, so that its content can change. */
export interface Cursor<Key> {
  readonly write: (last: Key) => string;
  /** The key in a cursor; undefined for a cursor that this API did not write. */
  readonly read: (cursor: string) => Key | undefined;
}

/** The cursor of a list that is ordered by subject id. */
export function idCursor(kind: SubjectKind): Cursor<string> {
  const pattern = idPattern(kind);
  return {
    write: encode,
    read: (cursor) => {
      const id = decode(cursor);
      return pattern.test(id) ? id : undefined;
    },
  };
}

/** The cursor of a list that is ordered by row number. */
export const numberCursor: Cursor<number> = {
  write: (last) => encode(`number ${last}`),
  read: (cursor) => {
    const number = /^number (\d{1,15})$/.exec(decode(cursor))?.[1];
    return number === undefined ? undefined : Number(number);
  },
};

/** The cursor of a list that is ordered by position, a four-byte integer in the database. */
export const positionCursor: Cursor<number> = {
  ...numberCursor,
  read: (cursor) => {
    const position = numberCursor.read(cursor) ?? Number.POSITIVE_INFINITY;
    return position < 2 ** 31 ? position : undefined;
  },
};

/** The cursor of a list that is ordered by instant. */
export const instantCursor: Cursor<Date> = {
  write: (last) => numberCursor.write(last.getTime()),
  read: (cursor) => {
    const instant = numberCursor.read(cursor);
    return instant === undefined ? undefined : new Date(instant);
  },
};

/** The fields of a query that ask for a page. */
export function pageFields<Key>(cursor: Cursor<Key>, { usual = 20, most = 100 } = {}) {
  return {
    limit: wholeNumber(1, most).default(usual).meta({ description: 'The most entries of a page.' }),
    cursor: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,200}$/, { error: 'is not a cursor of this list', abort: true })
      .transform((given, context): Key => {
        const key = cursor.read(given);
        if (key !== undefined) return key;
        context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
        return z.NEVER;
      })
      .optional()
      .meta({ description: '`nextCursor` of the previous page.' }),
  };
}

/** The body of every list. */
export function listAnswer<Entry extends z.ZodType>(entry: Entry, id: string) {
  return z
    .object({
      data: z.array(entry).meta({ description: 'The entries.' }),
      nextCursor: z.string().nullable(),
    })
    .meta({ id });
}

/** A list that is always whole. */
export function wholeList<Entry>(data: Entry[]): { readonly data: Entry[]; readonly nextCursor: null } {
  return { data, nextCursor: null };
}

/** The requested page of a list. */
export interface PageQuery<Key> {
  /** The key after which the page begins. */
  readonly cursor?: Key | undefined;
  readonly limit: number;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Rows in order. Cut where there are more than these, although fewer than were asked for. */
export type Found<Row> = readonly Row[] | { readonly rows: readonly Row[]; readonly isCut: boolean };

/**
 * Reads one row more than the page holds, to know whether there is another page.
 *
 * @param find gets the key of the last row before the page, and the number of rows to read.
 */
export async function pageOf<Row, Key>(
  { cursor, limit }: PageQuery<Key>,
  find: (last: Key | undefined, limit: number) => Promise<Found<Row>>,
): Promise<Page<Row>> {
  const found = await find(cursor, limit + 1);
  const { rows, isCut } = 'isCut' in found ? found : { rows: found, isCut: false };
  return { rows: rows.slice(0, limit), hasMore: isCut || rows.length > limit };
}

/** @returns null on the last page. */
export function nextCursor<Row, Key>(
  { rows, hasMore }: Page<Row>,
  cursor: Cursor<Key>,
  keyOf: (row: Row) => Key,
): string | null {
  const last = rows.at(-1);
  return hasMore && last !== undefined ? cursor.write(keyOf(last)) : null;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}
