import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';

interface Document {
  readonly components: { readonly headers: Readonly<Record<string, { readonly required?: boolean }>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
        readonly headers?: Readonly<Record<string, object>>;
      }
    >
  >;
}
interface Checker {
  readonly document: Document;
  readonly ajv: Ajv2020;
  readonly paths: readonly { readonly path: string; readonly pattern: RegExp }[];
}

export interface AnswerToCheck {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** What the caller accepts. */
  readonly accept?: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** All APIs of a process serve the same document. */
let checker: Promise<Checker> | undefined;

/** The server refuses such a request before it knows the operation. */
const ofNoOperation = [408, 414, 431];

/** The headers of which the document says with which answers they come. */
const namedHeaders = ['etag', 'idempotent-replayed', 'location', 'retry-after', 'www-authenticate'];

/**
 * Fails if the API's own document does not allow an answer: its status, its media type, a header or a field. Answers of addresses
 * and methods that the document does not name are problems of no operation, and are not checked.
 */
export async function assertDocumented(apiUrl: string, answer: AnswerToCheck): Promise<void> {
  checker ??= load(apiUrl);
  const { document, ajv, paths } = await checker;
  const path = paths.find(({ pattern }) => pattern.test(answer.path.split('?')[0]!))?.path ?? '';
  const method = answer.method.toLowerCase();
  const operation = document.paths[path]?.[method];
  if (!operation || ofNoOperation.includes(answer.status) || isPageOfProblem(answer)) return;
  const type = typeOf(answer);
  const steps = ['paths', path, method, 'responses', String(answer.status), 'content', type, 'schema'];
  const problem =
    undescribed(operation, answer) ??
    wrongHeader(document, operation, answer) ??
    (type.endsWith('json') ? misfit(ajv, steps, answer.text) : undefined);
  if (problem !== undefined)
    throw new Error(`${method} ${path} ${answer.status}: ${problem}: ${answer.text.slice(0, 2_000)}`);
}

/** Whoever asks for a page is shown one of any problem. */
function isPageOfProblem({ status, accept = '', ...answer }: AnswerToCheck): boolean {
  return status >= 400 && typeOf(answer) === 'text/html' && accept.includes('text/html');
}

function undescribed({ responses }: Operation, answer: AnswerToCheck): string | undefined {
  const described = responses[String(answer.status)];
  if (!described) return 'no such status in the document';
  const type = typeOf(answer);
  const isEmpty = answer.text === '' && !described.content;
  return isEmpty || described.content?.[type] ? undefined : `no answer of type "${type}" in the document`;
}

function wrongHeader(
  { components }: Document,
  { responses }: Operation,
  { status, headers }: AnswerToCheck,
): string | undefined {
  const described = Object.keys(responses[String(status)]?.headers ?? {});
  const names = new Set(described.map((name) => name.toLowerCase()));
  const unknown = namedHeaders.find((name) => headers.has(name) && !names.has(name));
  if (unknown !== undefined) return `no header "${unknown}" in the document`;
  const missing = described.find((name) => components.headers[name]?.required && !headers.has(name));
  return missing === undefined ? undefined : `the header "${missing}" is missing`;
}

function misfit(ajv: Ajv2020, steps: readonly string[], text: string): string | undefined {
  const validate = ajv.getSchema(`document#/${steps.map(escaped).join('/')}`);
  return validate?.(JSON.parse(text)) === true ? undefined : ajv.errorsText(validate?.errors);
}

function typeOf({ headers }: Pick<AnswerToCheck, 'headers'>): string {
  return headers.get('content-type')?.split(';')[0] ?? '';
}

async function load(apiUrl: string): Promise<Checker> {
  const response = await fetch(`${apiUrl}/openapi.json`);
  const document = (await response.json()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { base64: true } });
  (addFormatsModule as unknown as typeof addFormatsModule.default)(ajv);
  ajv.addSchema(document, 'document');
  const paths = Object.keys(document.paths)
    .toSorted((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  return { document, ajv, paths };
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
