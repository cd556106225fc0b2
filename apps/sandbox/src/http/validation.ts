import type { z } from 'zod';
import { ApiError, type ErrorDetail } from './api-error.js';
import { IDENTIFIER } from './identifiers.js';

/**
 * Checks a body (a missing one counts as `{}`) or a query against its schema.
 * @throws ApiError VALIDATION_ERROR naming each field that is wrong; values are never repeated in it.
 */
export function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value ?? {});
  if (result.success) return result.data;
  throw new ApiError('VALIDATION_ERROR', result.error.issues.flatMap(detailsOf));
}

/** @throws ApiError INVALID_RESOURCE_ID for a path segment that cannot be an id of this service. */
export function checkedId(segment: string): string {
  if (!IDENTIFIER.test(segment)) throw new ApiError('INVALID_RESOURCE_ID');
  return segment;
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: fieldName([...issue.path, key]), issue: 'Unknown field' }));
  }
  return [{ field: fieldName(issue.path), issue: issueText(issue) }];
}

/** zod words a missing field as a wrong type. */
function issueText(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined')
    ? 'Required field is missing'
    : issue.message;
}

/** `transactions[0].amount.total`, as the public errors write it. */
function fieldName(path: readonly PropertyKey[]): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else name += name === '' ? String(step) : `.${String(step)}`;
  }
  return name === '' ? 'body' : name;
}
