import { z } from 'zod';
import type { SubjectKind } from '#workflows/contract';
import { idPattern } from '../commands/ids.js';
import { wholeNumber } from './fields.js';

/** Where a list goes on. Opaque to callers, so that what lies in it can change. */
export interface Cursor<Key> {
  readonly write: (last: Key) => string;
  /** The key that a cursor stands for; undefined for anything this API did not write. */
  readonly read: (cursor: string) => Key | undefined;
}

/** Of a list that is ordered by its subjects' ids. */
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

/** Of a list that is ordered by a number: a position, or a row's number. */
export const numberCursor: Cursor<number> = {
  write: (last) => encode(`number ${last}`),
  read: (cursor) => {
    const number = /^number (\d{1,15})$/.exec(decode(cursor))?.[1];
    return number === undefined ? undefined : Number(number);
  },
};

/** The fields of a query that ask for a page. */
export function pageFields<Key>(cursor: Cursor<Key>, { usual = 20, most = 100 } = {}) {
  return {
    limit: wholeNumber(1, most).default(usual),
    cursor: z
      .string()
      .max(200)
      .transform((given, context): Key => {
        const key = cursor.read(given);
        if (key !== undefined) return key;
        context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
        return z.NEVER;
      })
      .optional()
      .meta({ description: 'nextCursor of the page before.' }),
  };
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/**
 * Reads one row more than the page holds: it tells whether there is another page.
 *
 * @param find is given the key that the page goes on from, and how many rows to read.
 */
export async function pageOf<Row, Key>(
  { cursor, limit }: { readonly cursor?: Key | undefined; readonly limit: number },
  find: (page: { readonly before: Key | undefined; readonly limit: number }) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const found = await find({ before: cursor, limit: limit + 1 });
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
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
