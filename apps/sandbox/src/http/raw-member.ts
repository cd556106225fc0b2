/**
 * The text of one member of a JSON object, byte for byte as it was sent: parsing and writing it again would change
 * spaces, escapes and the order of numeric keys. The last one of a name counts, as in `JSON.parse`.
 * @param json text that `JSON.parse` has accepted; the result is undefined when it is no object or has no such member.
 */
export function rawMember(json: string, name: string): string | undefined {
  let at = skipSpace(json, 0);
  if (json[at] !== '{') return undefined;
  let found: string | undefined;
  at = skipSpace(json, at + 1);
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at);
    const start = skipSpace(json, skipSpace(json, nameEnd) + 1);
    const end = endOfValue(json, start);
    // Names may be written with escapes, too.
    if (JSON.parse(json.slice(at, nameEnd)) === name) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ',') at = skipSpace(json, at + 1);
  }
  return found;
}

function endOfValue(json: string, start: number): number {
  const first = json[start];
  if (first === '"') return endOfString(json, start);
  if (first !== '{' && first !== '[') return endOfWord(json, start);
  let depth = 0;
  let at = start;
  do {
    const sign = json[at];
    if (sign === '"') at = endOfString(json, at);
    else {
      if (sign === '{' || sign === '[') depth += 1;
      if (sign === '}' || sign === ']') depth -= 1;
      at += 1;
    }
  } while (depth > 0 && at < json.length);
  return at;
}

/** The position after the closing quote; a backslash also skips the next character. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function endOfWord(json: string, start: number): number {
  let at = start;
  while (at < json.length && !/[\s,}\]]/.test(json.charAt(at))) at += 1;
  return at;
}

function skipSpace(json: string, start: number): number {
  let at = start;
  while (/\s/.test(json.charAt(at))) at += 1;
  return at;
}
