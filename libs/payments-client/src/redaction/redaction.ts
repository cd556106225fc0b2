import { AT, EMAIL } from './email-pattern.js';

const REDACTED = '[redacted]';

/**
 * Personal data and secrets by field name, at any depth and in either spelling (payer_id, payerId, PayerID). A note is
 * written to a person, or about one.
 */
const PRIVATE_FIELD = new RegExp(
  [
    '(^|_)(email|phone|secret|password|authorization_header|nonce)(_|$)|token',
    '^(payer_?info|payer_?id|payer_?name|subscriber|shipping_?(address|info|detail)|billing_?address|address)$',
    '^(receiver|recipient_name|(first|given|middle|last|full|alternate_full)_?name|surname|birth_date|note|note_?to_?pay(er|ee))$',
    '^(alternate_notification_method|national_number|funding_instruments|credit_card|bank_account)$',
  ].join('|'),
  'i',
);

const CREDENTIALS = /\b(Bearer\s+[\w.~+/=-]{8,}|Basic\s+[\w+/=-]{12,})/gi;
const QUERY = /(https?:\/\/[^\s"'?#]*)[?#][^\s"']*/gi;
const ADDRESS = /(https?:\/\/[^\s"'/?#]*)[^\s"']*/gi;
/** Of a payer's approval; a payment or an agreement goes by it until it is executed. */
const APPROVAL_TOKEN = /\bEC-\w{4,}/g;
const OPAQUE = /[\w+/=-]{32,}/g;

const MAX_DEPTH = 16;
const MAX_TEXT = 4_096;
/** A batch has up to 15,000 items, and one call must not fill the table of calls. */
const MAX_LIST = 100;

/**
 * A copy of a request or an answer that may be stored and shown: personal data, tokens and secrets replaced,
 * everything that explains the run (states, amounts, ids, our references) kept.
 */
export function redactBody(body: unknown, depth = 0): unknown {
  if (typeof body === 'string') return redactText(body);
  if (typeof body !== 'object' || body === null) return body;
  if (depth === MAX_DEPTH) return REDACTED;
  if (Array.isArray(body)) return redactList(body, depth + 1);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, redactField(name, value, depth + 1)]),
  );
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  const shown = list.slice(0, MAX_LIST).map((item) => redactBody(item, depth));
  return list.length > MAX_LIST ? [...shown, `… and ${list.length - MAX_LIST} more`] : shown;
}

function redactField(name: string, value: unknown, depth: number): unknown {
  if (PRIVATE_FIELD.test(name) && value !== null) return REDACTED;
  // A webhook's address may contain the secret that authenticates its events: only its origin is kept.
  if (name === 'url' && typeof value === 'string') return redactAddresses(value);
  return redactBody(value, depth);
}

function redactText(text: string): string {
  let shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  // Most texts are states, ids and amounts: a quick check for a needed character avoids the regular expression. A query
  // may carry the payer's approval token; e-mail addresses hide in descriptions and notes.
  if (shown.includes('://')) shown = shown.replace(QUERY, `$1?${REDACTED}`);
  if (shown.includes(' ')) shown = shown.replace(CREDENTIALS, REDACTED);
  if (AT.test(shown)) shown = shown.replace(EMAIL, REDACTED);
  return redactPath(shown);
}

/** A resource address: an agreement that waits for its payer is addressed by the token of the approval. */
export function redactPath(path: string): string {
  return path.includes('EC-') ? path.replace(APPROVAL_TOKEN, REDACTED) : path;
}

/**
 * Redacts a text of the provider for an error: it may quote what we sent, so URLs and opaque strings are removed, too.
 */
export function redactProse(text: string): string {
  return redactAddresses(redactText(text.slice(0, 512))).replace(OPAQUE, REDACTED);
}

function redactAddresses(text: string): string {
  return text.replace(ADDRESS, `$1/${REDACTED}`);
}
