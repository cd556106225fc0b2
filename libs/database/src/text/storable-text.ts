import { hasCardNumber, mayHoldCardNumber, withoutCardNumbers } from './card-numbers.js';
import { maskEmails, mayHoldEmail } from './emails.js';

/**
 * A JSON document that PostgreSQL accepts: jsonb refuses NUL and lone surrogates, which a hostile answer may contain.
 * JSON.stringify writes both as escapes, but never whole pairs. Card numbers and e-mail addresses are masked in all
 * texts, including field names.
 */
export function storableJson(value: unknown): string {
  const json = soundJson(value);
  // Between quotes alone: an amount or an instant is a number, and stays one.
  return mayBePrivate(json) ? withParts(json, { text: withoutPrivateDataInQuotes }) : json;
}

/** The same for a document from outside, in which a JSON number may also be a card number. */
export function storableForeignJson(value: unknown): string {
  const json = soundJson(value);
  return mayBePrivate(json)
    ? withParts(json, { text: withoutPrivateDataInQuotes, between: withoutNumbersOfCards })
    : json;
}

/** The same for a document whose texts are ours, or masked already. */
export function soundJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? json.replaceAll(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd') : json;
}

/** A JSON object of values that are ours, and of members that are storable documents already. */
export function recordJson(values: object, documents: Readonly<Record<string, string | null>>): string {
  const members = Object.entries(documents).map(([name, document]) => `,"${name}":${document ?? 'null'}`);
  return `${soundJson(values).slice(0, -1)}${members.join('')}}`;
}

/** A cheap pre-check that nearly every document fails. */
function mayBePrivate(json: string): boolean {
  return mayHoldEmail(json) || mayHoldCardNumber(json);
}

/**
 * Replaces whole numbers only: a placeholder inside a number would not be valid JSON. Card numbers have no fraction.
 */
function withoutNumbersOfCards(json: string): string {
  return json.replaceAll(/-?\d[\d.eE+-]*/g, (number) =>
    /^-?\d{13,19}$/.test(number) && hasCardNumber(number)
      ? `"${withoutCardNumbers(number.replace('-', ''))}"`
      : number,
  );
}

/** Masks the decoded text, because quotation marks in it are escaped. */
function withoutPrivateDataInQuotes(token: string): string {
  const text = String(JSON.parse(token));
  const clean = withoutPrivateData(text);
  return clean === text ? token : JSON.stringify(clean);
}

/** Replaces the quoted texts of a document, and the parts between them. */
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

/** Scanned by hand: a regular expression with an alternative for escapes overflows the stack on a long text. */
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

/** Text that PostgreSQL accepts, with card numbers and e-mail addresses masked. */
export function storableText(text: string): string {
  return withoutPrivateData(text.replaceAll('\0', '\ufffd').toWellFormed());
}

function withoutPrivateData(text: string): string {
  return withoutCardNumbers(maskEmails(text));
}
