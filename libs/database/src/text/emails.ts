/** E-mail addresses in texts, also in texts that were escaped for URLs or JSON, even several times. */

/** An @, plain or escaped for a URL, JSON or HTML. */
const at = String.raw`(?:[@\uff20\ufe6b]|%(?:25){0,9}40|\\{1,16}(?:u0040|x40)|&(?:#0{0,4}64|#x0{0,4}40|commat);)`;
const anyAt = new RegExp(at, 'i');

/**
 * The part before it: a word, a quoted name (which may be escaped), or the end of either. Bounded, because otherwise a
 * long text with one @ would be scanned from each of its characters. A masked address (a…@e…) does not match.
 */
const word = String.raw`[^\s@\uff20\ufe6b"'<>(),;:=/\\?&…]`;
const quotedName = String.raw`${word}{0,64}\\{0,16}"(?:[^"\r\n]|(?<=\\)"){1,128}\\{0,16}"`;
const local = String.raw`(?:${quotedName}|${word}{1,64}|["')])`;
const host = String.raw`(?:${word}{1,255}|\[[^\]\s]{1,64}\])`;
const email = new RegExp(local + at + host, 'gi');
const emailOfQuotedName = new RegExp(quotedName + at + host, 'gi');

const stead = '[redacted]';

/** False for nearly every text. */
export function mayHoldEmail(text: string): boolean {
  return anyAt.test(text);
}

/** True for a text that contains a possible e-mail address. */
export function hasEmail(text: string): boolean {
  return anyAt.test(text) && text.search(email) !== -1;
}

/** The text with a placeholder for each e-mail address. */
export function maskEmails(text: string): string {
  return anyAt.test(text) ? text.replaceAll(email, stead) : text;
}

/**
 * Masks e-mail addresses in a free text before it is stored. Removes every word with an @, because no pattern covers
 * all valid addresses.
 */
export function withoutEmails(text: string): string {
  if (!anyAt.test(text)) return text;
  return text
    .replaceAll(emailOfQuotedName, stead)
    .replaceAll(/\S+/g, (each) => (anyAt.test(each) ? stead : each));
}
