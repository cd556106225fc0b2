import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import addFormatsModule from 'ajv-formats';

const NAMES = ['payments_payment_v1', 'notifications_webhooks_v1', 'payments_payouts_batch_v1'];

interface Content {
  'application/json'?: { schema?: object; examples?: Record<string, { value: unknown }> };
}

interface Operation {
  requestBody?: { content?: Content; $ref?: string };
  responses: Record<string, { content?: Content }>;
}

interface Description {
  paths: Record<string, Record<string, Operation>>;
}

/** What the public API says about one call. */
export interface DescribedCall {
  method: string;
  /** With `{…}` for identifiers. */
  path: string;
  /** Bodies that the public API gives as examples, by their names. */
  examples: Record<string, unknown>;
  /** Statuses described, `default` for errors. */
  statuses: string[];
}

/**
 * Where the specification, or what was recorded of the real service, contradicts the public description. Each says why;
 * one that no answer needs any more fails the test that counts them.
 */
export const EXCEPTIONS = [
  {
    reason:
      'the link for the payer’s browser has the method REDIRECT: recorded so (PayPal-node-SDK, test/mocks)',
    matches: (error: ErrorObject, value: unknown) =>
      error.keyword === 'enum' && /\/links\/\d+\/method$/.test(error.instancePath) && value === 'REDIRECT',
  },
];

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  verbose: true,
  formats: { ppaas_common_language_v3: true },
});
// CommonJS: the function stands under `default` of what is imported.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;
addFormats(ajv);

const descriptions = new Map<string, Description>();
for (const name of NAMES) {
  const text = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8');
  descriptions.set(name, JSON.parse(text) as Description);
  ajv.addSchema(JSON.parse(text) as object, name);
}

export const describedCalls: readonly DescribedCall[] = [...descriptions.values()].flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses }]) => ({
      method: method.toUpperCase(),
      path,
      examples: Object.fromEntries(
        Object.entries(requestBody?.content?.['application/json']?.examples ?? {}).map(
          ([name, { value }]) => [name, value],
        ),
      ),
      statuses: Object.keys(responses),
    })),
  ),
);

export interface Judgement {
  call: DescribedCall;
  /** Empty when the answer is as described. */
  faults: string[];
  exceptions: string[];
}

/** Judges an answer by the public description of its call; undefined where no description covers the path. */
export function judgeAnswer(
  method: string,
  path: string,
  status: number,
  body: unknown,
): Judgement | undefined {
  const call = describedCalls.find((each) => each.method === method && patternOf(each.path).test(path));
  if (call === undefined) return undefined;
  const described = call.statuses.includes(String(status)) ? String(status) : 'default';
  if (described === 'default' && status < 400) {
    return { call, faults: [`status ${status} is not described`], exceptions: [] };
  }
  const errors = errorsOf(call, described, body);
  const exceptions: string[] = [];
  const faults = errors.filter((error) => {
    const exception = EXCEPTIONS.find(({ matches }) => matches(error, error.data));
    if (exception !== undefined) exceptions.push(exception.reason);
    return exception === undefined;
  });
  return {
    call,
    exceptions,
    faults: faults.map(
      ({ instancePath, message, data }) => `${instancePath} ${message}: ${JSON.stringify(data)}`,
    ),
  };
}

function errorsOf(call: DescribedCall, status: string, body: unknown): ErrorObject[] {
  const [name, description] = [...descriptions].find(([, { paths }]) => call.path in paths)!;
  const response = description.paths[call.path]![call.method.toLowerCase()]!.responses[status]!;
  if (response.content?.['application/json']?.schema === undefined) return [];
  const steps = [
    'paths',
    call.path,
    call.method.toLowerCase(),
    'responses',
    status,
    'content',
    'application/json',
  ];
  const pointer = [...steps, 'schema'].map((step) =>
    encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  const validate = ajv.getSchema(`${name}#/${pointer.join('/')}`);
  if (validate === undefined) throw new Error(`No schema for ${call.method} ${call.path} ${status}`);
  return validate(body) ? [] : (validate.errors ?? []);
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/?]+')}/?(?:\\?.*)?$`);
}
