import { hasCardNumber, mayHoldCardNumber, withoutCardNumbers } from './card-numbers.js';

/**
 * A JSON document as PostgreSQL takes it: jsonb refuses NUL and half a surrogate pair, either of which a hostile answer
 * may hold. JSON.stringify writes both as escapes, and whole pairs never. No text in it holds a card number or an e-mail
 * address, names of fields included.
 */
export function storableJson(value: unknown): string {
  const json = soundJson(value);
  // Between quotes alone: an amount or an instant is a number, and stays one.
  return mayBePrivate(json) ? withParts(json, { text: withoutPrivateData }) : json;
}

/** The same of a document that was made elsewhere, where a number may be a card's as well. */
export function storableForeignJson(value: unknown): string {
  const json = soundJson(value);
  return mayBePrivate(json)
    ? withParts(json, { text: withoutPrivateData, between: withoutNumbersOfCards })
    : json;
}

/** Nearly no document is looked at more closely. */
function mayBePrivate(json: string): boolean {
  return json.includes('@') || mayHoldCardNumber(json);
}

function soundJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? json.replaceAll(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd') : json;
}

/** A number whole: a part of one with a stead in it would be no JSON any more. No card's number has a fraction. */
function withoutNumbersOfCards(json: string): string {
  return json.replaceAll(/-?\d[\d.eE+-]*/g, (number) =>
    /^-?\d{13,19}$/.test(number) && hasCardNumber(number)
      ? `"${withoutCardNumbers(number.replace('-', ''))}"`
      : number,
  );
}

/** A document with its texts, quotes included, and what stands between them made anew. */
function withParts(
  json: string,
  { text, between = (part) => part }: Readonly<Record<'text', Remake> & Partial<Record<'between', Remake>>>,
): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = json.indexOf('"'); start !== -1; start = json.indexOf('"', at)) {
    const end = endOfText(json, start);
    parts.push(between(json.slice(at, start)), text(json.slice(start, end)));
    at = end;
  }
  return parts.join('') + between(json.slice(at));
}

type Remake = (part: string) => string;

/** By hand: a pattern with an alternative for escapes needs more stack than there is for a long text. */
function endOfText(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote;
  while (json[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
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
