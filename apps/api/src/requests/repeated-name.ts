import { endOfString } from './document-size.js';

const [quote, colon] = [0x22, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * A name that an object of a document has twice, of which the parser keeps the last value alone. Usually the members are only
 * counted: the bytes have one colon for each.
 *
 * @param bytes valid JSON.
 * @param document what the parser has made of them.
 */
export function repeatedName(bytes: Buffer, document: unknown): string | undefined {
  return colonsIn(bytes) === membersOf(document) ? undefined : findRepeatedName(bytes);
}

function colonsIn(bytes: Buffer): number {
  let colons = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === quote) i = endOfString(bytes, i);
    else if (bytes[i] === colon) colons += 1;
  }
  return colons;
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return parts.reduce<number>((sum, part) => sum + membersOf(part), own);
}

function findRepeatedName(bytes: Buffer): string | undefined {
  const open: Set<string>[] = [];
  let latest = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      const begin = i;
      i = endOfString(bytes, i);
      latest = bytes.toString('utf8', begin, i + 1);
    } else if (byte === colon) {
      const name = JSON.parse(latest) as string;
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    } else if (byte === openBrace || byte === openBracket) open.push(new Set());
    else if (byte === closeBrace || byte === closeBracket) open.pop();
  }
  return undefined;
}
