/** The properties of a zod issue that the message uses; all are optional. */
interface ValidationIssue {
  readonly message: string;
  readonly code?: unknown;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly options?: unknown;
  /** Of the name of an entry. */
  readonly issues?: unknown;
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

/**
 * The message for one wrong field. zod's own messages name JavaScript types that JSON does not have.
 *
 * @param given the value at the issue's path in the request; undefined if there is none.
 */
export function validationMessage(issue: ValidationIssue, given: unknown): string {
  if (given === undefined) return 'is required';
  const { code, expected, values, origin, minimum, maximum, options, issues, message } = issue;
  if (code === 'invalid_type') {
    const name = typeNames[String(expected)];
    return name === undefined ? message : `must be ${name}`;
  }
  if (code === 'invalid_key' && Array.isArray(issues)) return messageOf(issues[0]);
  if (code === 'invalid_value' && Array.isArray(values)) return oneOf(values);
  if (code === 'too_small') return `must be at least ${sizeOf(origin, minimum)}`;
  if (code === 'too_big') return `must be at most ${sizeOf(origin, maximum)}`;
  if (code === 'invalid_union' && Array.isArray(options)) return oneOf(options);
  return message;
}

function messageOf(issue: unknown): string {
  const isIssue = typeof issue === 'object' && issue !== null && 'message' in issue;
  return isIssue ? String(issue.message) : 'has a wrong name';
}

function oneOf(values: readonly unknown[]): string {
  const choices = values.map((value) => JSON.stringify(value)).join(', ');
  return values.length === 1 ? `must be ${choices}` : `must be one of ${choices}`;
}

const unitsOf: Readonly<Record<string, string>> = { string: 'character', array: 'entry' };
const pluralOf: Readonly<Record<string, string>> = { character: 'characters', entry: 'entries' };

function sizeOf(origin: unknown, limit: unknown): string {
  const unit = unitsOf[String(origin)];
  if (unit === undefined) return String(limit);
  return `${String(limit)} ${Number(limit) === 1 ? unit : (pluralOf[unit] ?? unit)} long`;
}
