import { z } from 'zod';
import { ApiError, type ErrorDetail } from './api-error.js';
import { IDENTIFIER } from './identifiers.js';

/** An answer stays small, however many errors a body has. */
export const MOST_DETAILS = 50;
export const UNKNOWN_FIELD = 'Unknown field';
/** Keys come from the caller, and one can be as long as the body. */
const LONGEST_FIELD = 200;
const COUNTRY_CODE = /^[A-Z]{2}$|^C2$/;

/**
 * Checks a body (a missing one counts as `{}`) or a query against its schema.
 * @throws ApiError VALIDATION_ERROR naming the fields that are wrong, at most 50; values are never repeated in it.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value ?? {}, { error: wordsForMissing });
  if (result.success) return result.data;
  throw new ApiError('VALIDATION_ERROR', firstDetails(result.error.issues));
}

const MISSING = 'Required field is missing';

/** zod reports a missing field as a wrong type, or lists the words of which it would have to be one. */
function wordsForMissing({ code, input }: z.core.$ZodRawIssue): string | undefined {
  return input === undefined && (code === 'invalid_type' || code === 'invalid_value') ? MISSING : undefined;
}

/** An id of this service, in a body or a query. */
export const identifier = z.string().regex(IDENTIFIER);

/** A country, in a body. */
export const countryCode = z.string().regex(COUNTRY_CODE, 'Must be a two-letter country code');

/** Forms, and clients of the public API, send an absent value as an empty text. */
export function orAbsent<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(absentIfEmpty, schema.optional());
}

/** The same for a field with a default. */
export function orDefault<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(absentIfEmpty, schema);
}

function absentIfEmpty(value: unknown): unknown {
  return value === '' ? undefined : value;
}

/** What a client reads in an answer and may send back unchanged: accepted, without effect. */
export const readOnly = z.unknown().optional();

/** The same for an object whose further fields are kept: without these. */
export function withoutReadOnly<Schema extends z.ZodType>(names: readonly string[], schema: Schema) {
  return z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
  }, schema);
}

/** An ISO 8601 instant with its offset, in a body or a query. */
export const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** @throws ApiError INVALID_RESOURCE_ID for a path segment that cannot be an id of this service. */
export function checkedId(segment: string): string {
  if (!IDENTIFIER.test(segment)) throw new ApiError('INVALID_RESOURCE_ID');
  return segment;
}

function firstDetails(issues: readonly z.core.$ZodIssue[]): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  let wrong = 0;
  for (const issue of issues) {
    wrong += issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
    details.push(...detailsOf(issue, MOST_DETAILS - details.length));
  }
  if (wrong === details.length) return details;
  return [...details, { field: 'body', issue: `At least ${wrong - details.length} more fields are wrong` }];
}

function detailsOf(issue: z.core.$ZodIssue, most: number): ErrorDetail[] {
  if (most === 0) return [];
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldName(issue.path), issue: issueText(issue) }];
  return issue.keys
    .slice(0, most)
    .map((key) => ({ field: fieldName([...issue.path, key]), issue: UNKNOWN_FIELD }));
}

/** An element of a bounded array is checked apart, without the words above. */
function issueText(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    ? MISSING
    : issue.message;
}

/** `transactions[0].amount.total`, as the public errors write it; shortened when it is too long to read. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? String(step) : `.${String(step)}`;
  }
  if (name.length > LONGEST_FIELD) return `${name.slice(0, LONGEST_FIELD).toWellFormed()}…`;
  return name === '' ? 'body' : name;
}
