const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Deeper documents are nobody's payment. */
const mostNesting = 64;
/** Of any list: a payout's items are the longest that a request has. */
const mostEntries = 10_000;
/** Of a document as a whole: as many items as a payout may have, with every field that an item has. */
const mostValues = 200_000;

/** What a document has too much of. */
export type Excess =
  | { readonly what: 'nesting' }
  | { readonly what: 'values'; readonly most: number }
  /** The pointer names a list that is a member of the document, and is empty for any other. */
  | { readonly what: 'entries'; readonly most: number; readonly pointer: string };

/**
 * What a JSON document has too much of, told from its bytes: a parser would first have made every value of it. Reading
 * stops at the first excess, so that a document costs no more than what it may hold. Strings are passed over; whether it
 * is JSON at all is the parser's business.
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

/** Of a field: what is longer is none of ours, and needs not be told whole. */
const longestName = 64;

/** Where the string that begins at `start` has its closing quote; the end of the bytes when it has none. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === backslash && end - 1 - escapes > start) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return bytes.length;
}
