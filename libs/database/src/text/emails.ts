/** E-mail addresses in texts, also in ones that were written for an address or for JSON, once or more often. */

/** An @ as it is written, or escaped for an address, for JSON, or for a page. */
const at = String.raw`(?:[@\uff20\ufe6b]|%(?:25){0,9}40|\\{1,16}(?:u0040|x40)|&(?:#0{0,4}64|#x0{0,4}40|commat);)`;
const anyAt = new RegExp(at, 'i');

/**
 * What stands before it: a word; a name in quotes, which may be escaped as well; or the end of either. Bounded, or a
 * long text with one @ would be scanned from each of its characters. A masked one (a…@e…) is none.
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

/** True for a text that holds an e-mail address, or what could be one. */
export function hasEmail(text: string): boolean {
  return anyAt.test(text) && text.search(email) !== -1;
}

/** The text with a stead for each e-mail address. */
export function maskEmails(text: string): string {
  return anyAt.test(text) ? text.replaceAll(email, stead) : text;
}

/**
 * A free text as it may be stored: people write e-mail addresses into descriptions. Any word with an @ in it goes: what
 * an address may hold is wider than what any pattern for one expects.
 */
export function withoutEmails(text: string): string {
  if (!anyAt.test(text)) return text;
  return text
    .replaceAll(emailOfQuotedName, stead)
    .replaceAll(/\S+/g, (each) => (anyAt.test(each) ? stead : each));
}
