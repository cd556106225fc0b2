import {
  type ArgumentMetadata,
  Injectable,
  StandardSchemaValidationPipe,
  type StandardSchemaValidationPipeOptions,
} from '@nestjs/common';
import { validationOf } from '../wire/long-lists.js';
import { parseJsonBody, ReceivedBody } from '../server/received-body.js';
import { type FieldProblem, invalid } from './problem.js';
import { cardNumbersIn } from './card-number-fields.js';
import { validationMessage } from './validation-message.js';

type IssueList = Parameters<NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>>[0];
type Issue = IssueList[number];

/** A batch may be wrong in each of its thousands of items: enough to mend it is told. */
const mostIssues = 100;

/** Quotes no part of it. */
export const cardNumber =
  'looks like the number of a payment card, which is never kept here: send another text';

/** Parses JSON bodies and checks bodies and queries against their schemas; each wrong field is named. */
@Injectable()
export class RequestValidationPipe extends StandardSchemaValidationPipe {
  override async transform<T>(value: T, metadata: ArgumentMetadata): Promise<T> {
    const { schema, type } = metadata;
    if (!schema || type === 'custom') return value;
    // Only after the guards, so that a caller without a key learns nothing from its body's problems.
    const input: unknown =
      type === 'body' ? parseJsonBody(value instanceof ReceivedBody ? value : undefined) : value;
    this.stripProtoKeys(input);
    const result = await validationOf(schema)(input);
    if (result.issues) {
      const told = result.issues.slice(0, mostIssues);
      throw invalid(...told.flatMap((issue) => fieldProblems(issue, input, type)));
    }
    // Of what is taken: a field that is ignored is not kept either. But it is named as the caller wrote it.
    if ((await cardNumbersIn(result.value)).length > 0) {
      const found = (await cardNumbersIn(input)).slice(0, mostIssues);
      throw invalid(...found.map((path) => locate(path, type, cardNumber)));
    }
    return result.value as T;
  }
}

/** One problem per field: zod names surplus fields all in one issue of the object around them. */
function fieldProblems(issue: Issue, input: unknown, type: ArgumentMetadata['type']): FieldProblem[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === 'object' ? segment.key : segment),
  );
  if ('keys' in issue && Array.isArray(issue.keys)) {
    return issue.keys.map((key) => locate([...path, String(key)], type, 'is not known here'));
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
  if (type !== 'body') return { parameter: path.join('.'), detail };
  return { pointer: path.map((key) => `/${escapePointer(key)}`).join(''), detail };
}

/** RFC 6901, section 3. */
function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
