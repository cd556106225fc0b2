/** An @ as it is written, or escaped for an address, for JSON, or for a page: once or more often. */
const at = String.raw`(?:[@\uff20\ufe6b]|%(?:25){0,9}40|\\{1,16}(?:u0040|x40)|&(?:#0{0,4}64|#x0{0,4}40|commat);)`;

// Bounded, or a long text with one @ would be scanned from each of its characters.
const word = String.raw`[^\s@\uff20\ufe6b"'<>(),;:=/\\?&]`;
const quotedName = String.raw`${word}{0,64}\\{0,16}"(?:[^"\r\n]|(?<=\\)"){1,128}\\{0,16}"`;
const local = String.raw`(?:${quotedName}|${word}{1,64}|["')])`;
const host = String.raw`(?:${word}{1,255}|\[[^\]\s]{1,64}\])`;

/** What an e-mail address has, and nearly no other text. */
export const AT = new RegExp(at, 'i');

/** The name before the @ may stand in quotes, which may be escaped as well. */
export const EMAIL = new RegExp(local + at + host, 'gi');
