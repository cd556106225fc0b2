import { idPattern } from '../commands/ids.js';

/** Opaque to callers, so that what lies in them can change. */

const payoutIds = idPattern('payout');

export function writePayoutCursor(lastId: string): string {
  return encode(lastId);
}

/** The id that a cursor stands for; undefined for anything this API did not write. */
export function readPayoutCursor(cursor: string): string | undefined {
  const id = decode(cursor);
  return payoutIds.test(id) ? id : undefined;
}

export function writeItemCursor(lastPosition: number): string {
  return encode(`item ${lastPosition}`);
}

/** The position that a cursor stands for; undefined for anything this API did not write. */
export function readItemCursor(cursor: string): number | undefined {
  const position = /^item (\d{1,9})$/.exec(decode(cursor))?.[1];
  return position === undefined ? undefined : Number(position);
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decode(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('latin1');
}
