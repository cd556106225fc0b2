import { hasCardNumber, mayHoldCardNumber, withoutCardNumbers } from './card-numbers.js';
import { maskEmails, mayHoldEmail } from './emails.js';

/**
 * A JSON document as PostgreSQL takes it: jsonb refuses NUL and half a surrogate pair, either of which a hostile answer
 * may hold. JSON.stringify writes both as escapes, and whole pairs never. No text in it holds a card number or an e-mail
 * address, names of fields included.
 */
export function storableJson(value: unknown): string {
  const json = soundJson(value);
  // Between quotes alone: an amount or an instant is a number, and stays one.
  return mayBePrivate(json) ? withParts(json, { text: withoutPrivateDataInQuotes }) : json;
}

/** The same of a document that was made elsewhere, where a number may be a card's as well. */
export function storableForeignJson(value: unknown): string {
  const json = soundJson(value);
  return mayBePrivate(json)
    ? withParts(json, { text: withoutPrivateDataInQuotes, between: withoutNumbersOfCards })
    : json;
}

/** Nearly no document is looked at more closely. */
function mayBePrivate(json: string): boolean {
  return mayHoldEmail(json) || mayHoldCardNumber(json);
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

/** As it is read: a quotation mark in it is another than the ones around it. */
function withoutPrivateDataInQuotes(token: string): string {
  const text = String(JSON.parse(token));
  const clean = withoutPrivateData(text);
  return clean === text ? token : JSON.stringify(clean);
}

/** A document with its texts, quotes included, and what stands between them replaced. */
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

function withoutPrivateData(text: string): string {
  return withoutCardNumbers(maskEmails(text));
}
