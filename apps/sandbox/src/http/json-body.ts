import { isUtf8 } from 'node:buffer';
import { ApiError } from './api-error.js';

/** Deeper than any request of the interface; limits the recursion below. */
const DEEPEST_NESTING = 16;

/**
 * Reads a JSON body. An empty one is `undefined`: public clients send none with void, and `{}` with DELETE.
 * What PostgreSQL could not store (NUL, lone surrogates) is refused here, so that it never causes a 500 later.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new ApiError('MALFORMED_REQUEST');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ApiError('MALFORMED_REQUEST');
  }
  if (!isStorable(value, DEEPEST_NESTING)) throw new ApiError('MALFORMED_REQUEST');
  return value;
}

function isStorable(value: unknown, levelsLeft: number): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (levelsLeft === 0) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, levelsLeft - 1));
  return Object.entries(value).every(
    ([key, item]) => isStorableText(key) && isStorable(item, levelsLeft - 1),
  );
}

function isStorableText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
