const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** No request of this API nests deeper. */
const mostNesting = 64;
/** The most entries of any list. The longest list in a request is a payout's items. */
const mostEntries = 10_000;
/** The most values of a whole document: enough for the largest payout with every field of an item set. */
const mostValues = 200_000;

/** The limit that a document exceeds. */
export type Excess =
  | { readonly what: 'nesting' }
  | { readonly what: 'values'; readonly most: number }
  /** The pointer names a list that is a direct member of the document; for other lists it is empty. */
  | { readonly what: 'entries'; readonly most: number; readonly pointer: string };

/**
 * The limit that a JSON document exceeds, found by scanning its bytes: a parser would first create every value. The
 * scan stops at the first excess, so an oversized document costs no more than an allowed one. Strings are skipped. The
 * parser checks the syntax later.
 */
export function excessIn(bytes: Buffer): Excess | undefined {
  /** How many entries each open list has so far; members of an object are not counted. */
  const open: number[] = [];
  let values = 1;
  let name = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      const end = endOfString(bytes, i);
      if (open.length === 1) name = bytes.toString('utf8', i + 1, Math.min(end, i + longestName));
      i = end;
    } else if (byte === openBrace || byte === openBracket) {
      if (open.push(byte === openBrace ? Number.NEGATIVE_INFINITY : 1) > mostNesting)
        return { what: 'nesting' };
      values += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      open.pop();
    } else if (byte === comma) {
      values += 1;
      const entries = (open.pop() ?? 0) + 1;
      open.push(entries);
      if (entries > mostEntries) {
        return { what: 'entries', most: mostEntries, pointer: open.length === 2 ? `/${name}` : '' };
      }
    }
    if (values > mostValues) return { what: 'values', most: mostValues };
  }
  return undefined;
}

/** The longest field name to report. No field of this API has a longer name. */
export const longestName = 64;

/** The position of the closing quote of the string that begins at `start`; the end of the bytes if there is none. */
export function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash && end - 1 - escapes > start) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
