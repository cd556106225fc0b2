/**
 * A JSON document as PostgreSQL takes it: jsonb refuses NUL and half a surrogate pair, either of which a hostile answer
 * may hold. JSON.stringify writes both as escapes, and whole pairs never.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes('\\u') ? json.replaceAll(/\\u(?:0000|d[89a-f][0-9a-f]{2})/g, '\\ufffd') : json;
}

/** Text as PostgreSQL takes it. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

/** Any word with an @ in it: what an address may hold is wider than what any pattern for one expects. */
const wordWithAt = /\S*@\S*/g;

/** A free text as it may be stored: people write e-mail addresses into descriptions. */
export function withoutEmails(text: string): string {
  // The pattern looks from every letter of a word to its end, and nearly no text has an @.
  return text.includes('@') ? text.replace(wordWithAt, '[redacted]') : text;
}
