import {
  type ArgumentMetadata,
  Injectable,
  StandardSchemaValidationPipe,
  type StandardSchemaValidationPipeOptions,
} from '@nestjs/common';
import { validationOf } from '../wire/long-lists.js';
import { parseJsonBody, ReceivedBody } from './received-body.js';
import { type FieldProblem, invalid } from '../problems/problem.js';
import { cardNumbersIn } from './card-number-fields.js';
import { reservedNamesIn } from './reserved-names.js';
import { validationMessage } from './validation-message.js';

type IssueList = Parameters<NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>>[0];
type Issue = IssueList[number];

/** A document can have thousands of wrong items or unknown fields. The answer names enough of them to fix it. */
const mostIssues = 100;

/** The message does not quote the number. */
export const cardNumber = 'looks like a payment card number; these are never stored: send another text';

const reservedName = 'has a name that no field may have';

/** Parses JSON bodies and validates bodies and queries against their schemas. The problem names each wrong field. */
@Injectable()
export class RequestValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const { schema, type } = metadata;
    if (!schema || type === 'custom') return value;
    // Runs after the guards, so that a caller without a key learns nothing about the schema.
    const input: unknown =
      type === 'body' ? parseJsonBody(value instanceof ReceivedBody ? value : undefined) : value;
    const reserved = reservedNamesIn(input).slice(0, mostIssues);
    if (reserved.length > 0) throw invalid(...reserved.map((path) => locate(path, type, reservedName)));
    const result = await validationOf(schema)(input);
    if (result.issues) {
      const named = result.issues.slice(0, mostIssues);
      throw invalid(...named.flatMap((issue) => fieldProblems(issue, input, type)).slice(0, mostIssues));
    }
    // Checks the parsed result, because ignored fields are not stored. The problem names the field as the caller wrote
    // it.
    if ((await cardNumbersIn(result.value)).length > 0) {
      const found = (await cardNumbersIn(input)).slice(0, mostIssues);
      throw invalid(...found.map((path) => locate(path, type, cardNumber)));
    }
    return result.value as T;
  }
}

/** One problem per field: zod reports all unknown fields of an object in one issue. */
function fieldProblems(issue: Issue, input: unknown, type: ArgumentMetadata['type']): FieldProblem[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  );
  if ('keys' in issue && Array.isArray(issue.keys)) {
    return issue.keys
      .slice(0, mostIssues)
      .map((key) => locate([...path, String(key)], type, 'is not a known field'));
  }
  return [locate(path, type, validationMessage(issue, valueAt(input, path)))];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    input,
  );
}

function locate(path: readonly string[], type: ArgumentMetadata['type'], detail: string): FieldProblem {
  // One of several values of a parameter is the parameter's.
  if (type !== 'body') return { parameter: path[0] ?? '', detail };
  return { pointer: path.map((key) => `/${escapePointer(key)}`).join(''), detail };
}

/** RFC 6901, section 3. */
function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
