import { withoutCardNumbers } from './card-numbers.js';

/**
 * A JSON document as PostgreSQL takes it: jsonb refuses NUL and half a surrogate pair, either of which a hostile answer
 * may hold. JSON.stringify writes both as escapes, and whole pairs never. No text in it holds a card number or an e-mail
 * address, names of fields included.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  const sound = json.includes('\\u') ? json.replaceAll(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd') : json;
  const clean = withoutPrivateData(sound);
  // Between quotes alone: an amount or an instant is a number, and stays one.
  return clean === sound ? sound : sound.replaceAll(quoted, withoutPrivateData);
}

/** The same of a document that was made elsewhere, where a number may be a card's as well. */
export function storableForeignJson(value: unknown): string {
  return storableJson(value).replaceAll(quotedOrNumber, (token) =>
    token.startsWith('"') ? token : quotedIfPrivate(token),
  );
}

const quoted = /"(?:[^"\\]|\\.)*"/g;
const quotedOrNumber = /"(?:[^"\\]|\\.)*"|\d{13,19}/g;

function quotedIfPrivate(number: string): string {
  const clean = withoutCardNumbers(number);
  return clean === number ? number : `"${clean}"`;
}

/** Text as PostgreSQL takes it, without a card number or an e-mail address. */
export function storableText(text: string): string {
  return withoutPrivateData(text.replaceAll('\0', '\ufffd').toWellFormed());
}

/** Any word with an @ in it: what an address may hold is wider than what any pattern for one expects. */
const wordWithAt = /\S*@\S*/g;

/** A free text as it may be stored: people write e-mail addresses into descriptions. */
export function withoutEmails(text: string): string {
  // The pattern looks from every letter of a word to its end, and nearly no text has an @.
  return text.includes('@') ? text.replace(wordWithAt, '[redacted]') : text;
}

/** True for a text that holds an e-mail address, or what could be one. */
export function hasEmail(text: string): boolean {
  return text.includes('@') && text.search(email) !== -1;
}

/** Bounded, or a long text with one @ would be scanned from each of its characters. A masked one (a…@e…) is none. */
const email = /[^\s@"'<>(),;:=/\\?&…]{1,64}@[^\s@"'<>(),;:=/\\?&…]{1,255}/g;

function withoutPrivateData(text: string): string {
  return withoutCardNumbers(text.includes('@') ? text.replaceAll(email, '[redacted]') : text);
}
