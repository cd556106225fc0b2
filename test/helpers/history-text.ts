/** Base64 as histories are exported in; shorter words decode to nothing that could be a secret. */
const base64 = /^[A-Za-z0-9+/]{8,}={0,2}$/;

/**
 * Everything that a history holds, as text to be searched: names and texts as they are, the bytes of payloads as the
 * characters that they stand for. JSON of a history would show bytes as numbers or as base64, in which no search finds
 * anything.
 *
 * @param history as it was fetched, or the JSON that it was exported to.
 */
export function historyText(history: unknown): string {
  const texts: string[] = [];
  collect(history, texts);
  return texts.join('\n');
}

function collect(value: unknown, texts: string[]): void {
  if (value instanceof Uint8Array) return void texts.push(Buffer.from(value).toString('latin1'));
  if (typeof value === 'string') {
    texts.push(value);
    if (base64.test(value)) texts.push(Buffer.from(value, 'base64').toString('latin1'));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, held] of Object.entries(value)) {
    texts.push(name);
    collect(held, texts);
  }
}
