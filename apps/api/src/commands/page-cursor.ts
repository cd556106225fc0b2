import type { SubjectKind } from '../../../../libs/workflows/src/contract/subject.js';
import { idPattern } from './ids.js';

/** Opaque to callers, so that what lies in it can change. */
export function writeCursor(lastId: string): string {
  return Buffer.from(lastId).toString('base64url');
}

/** The id that a cursor stands for; undefined for anything this API did not write. */
export function readCursor(cursor: string, kind: SubjectKind = 'payment'): string | undefined {
  const id = Buffer.from(cursor, 'base64url').toString('latin1');
  return idPattern(kind).test(id) ? id : undefined;
}
