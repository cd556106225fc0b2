import { paymentIdPattern } from './ids.js';

/** Opaque to callers, so that what lies in it can change. */
export function writeCursor(lastId: string): string {
  return Buffer.from(lastId).toString('base64url');
}

/** The id that a cursor stands for; undefined for anything this API did not write. */
export function readCursor(cursor: string): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  return paymentIdPattern.test(id) ? id : undefined;
}
