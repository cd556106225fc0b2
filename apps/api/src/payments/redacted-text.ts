/** Any word with an @ in it: what an address may hold is wider than what any pattern for one expects. */
const wordWithAt = /\S*@\S*/g;

/** A free text as it may be stored: people write e-mail addresses into descriptions. */
export function withoutEmails(text: string): string {
  return text.replace(wordWithAt, '[redacted]');
}

/** Tells an operator which account was meant without telling its address: a…@e…. */
export function maskEmail(address: string): string {
  const [name = '', host = ''] = address.split('@');
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}…`;
}
