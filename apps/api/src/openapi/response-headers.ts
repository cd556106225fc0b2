import type { OpenAPIObject } from '@nestjs/swagger';
import { takesIfMatch } from '../commands/if-match.js';

const header = (description: string, schema: object) => ({ description, schema });
const count = (description: string) => header(description, { type: 'integer', minimum: 0 });

/** The headers of answers that a caller can use, by their names. */
const headers = {
  'X-Request-Id': {
    ...header('Names the request in the logs.', { type: 'string', pattern: '^req_[0-9a-f]{24}$' }),
    required: true,
  },
  'RateLimit-Limit': count('The most requests in a minute.'),
  'RateLimit-Remaining': count('How many of them are left.'),
  'RateLimit-Reset': count('The seconds until the next minute begins.'),
  'Retry-After': count('The seconds to wait before the next request about it.'),
  Location: header('The address at which the result can be read.', { type: 'string', format: 'uri' }),
  ETag: {
    ...header('The `version` as an entity tag. Send it as `If-Match` to act on this version only.', {
      type: 'string',
      pattern: '^"\\d{1,15}"$',
    }),
    required: true,
  },
  'Idempotent-Replayed': header(
    '`true`: the request is a repeat, and was answered from its key. Otherwise the header is absent.',
    { type: 'string', const: 'true' },
  ),
  'WWW-Authenticate': header('Which credentials are needed, and what is wrong with those that came.', {
    type: 'string',
  }),
} as const;
type HeaderName = keyof typeof headers;

const rates = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const;

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'The `ETag` of the version that the caller has seen: if the resource has another version by now, or another command for it was accepted and is not begun, the answer is a 412 and nothing is done. Only repeats of an accepted request are answered as before.',
  schema: { type: 'string', maxLength: 1_000, pattern: '^(\\*|"[0-9]{1,15}"(, ?"[0-9]{1,15}")*)$' },
} as const;

interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Record<string, Response>;
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
  headers?: Record<string, object>;
}

/** Names the headers of each answer, and the precondition of each request about a resource with a version. */
export function describeHeaders(
  document: OpenAPIObject,
  problem: (status: number) => object,
): typeof headers {
  const versioned = new Set(
    Object.entries(document.components?.schemas ?? {})
      .filter(([, schema]) => 'required' in schema && schema.required?.includes('version'))
      .map(([name]) => `#/components/schemas/${name}`),
  );
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods) as [string, Operation][]) {
      if (takesIfMatch(method.toUpperCase(), path)) {
        Object.assign(operation, { parameters: [...(operation.parameters ?? []), ifMatch] });
        operation.responses['412'] = problem(412);
      } else if (path.startsWith('/v1/')) {
        // Of `If-Match`, which has no meaning there.
        operation.responses['400'] ??= problem(400);
      }
      for (const [status, response] of Object.entries(operation.responses)) {
        const names = namesOf(Number(status), operation, { path, method });
        const schema = response.content?.['application/json']?.schema?.$ref;
        if (schema !== undefined && versioned.has(schema)) names.push('ETag');
        const described = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
        if (described.length > 0) response.headers = Object.fromEntries(described);
      }
    }
  }
  return headers;
}

interface Answer {
  readonly status: number;
  readonly path: string;
  readonly method: string;
  readonly isIdempotent: boolean;
  readonly isOfHealth: boolean;
}

/** Which answers have a header. */
const comesWith: readonly (readonly [HeaderName, (answer: Answer) => boolean])[] = [
  ['X-Request-Id', ({ status }) => status < 400],
  ...rates.map((rate) => [rate, isCounted] as const),
  ['Retry-After', (answer) => answer.status === 429 || answer.status === 503 || isUnderWay(answer)],
  [
    'Idempotent-Replayed',
    ({ status, isIdempotent }) => isIdempotent && (status < 400 || [402, 409, 422].includes(status)),
  ],
  ['Location', (answer) => answer.status === 303 || isUnderWay(answer) || isPlaced(answer)],
  ['WWW-Authenticate', ({ status }) => status === 401 || status === 403],
];

function namesOf(status: number, operation: Operation, at: Pick<Answer, 'path' | 'method'>): HeaderName[] {
  const isOfHealth = operation.tags?.includes('Health') === true;
  const answer = { ...at, status, isIdempotent: isIdempotent(operation), isOfHealth };
  return comesWith.filter(([, isSent]) => isSent(answer)).map(([name]) => name);
}

function isIdempotent({ parameters = [] }: Operation): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

function isCounted({ status, isOfHealth }: Answer): boolean {
  return status === 429 || (status < 400 && !isOfHealth);
}

function isUnderWay({ status, path, isIdempotent: isRepeatable }: Answer): boolean {
  return status === 202 && (isRepeatable || path.endsWith('/check'));
}

/** What was made, and what was checked, is read at an address of its own. */
function isPlaced({ status, path, method }: Answer): boolean {
  if (method !== 'post') return false;
  // The payout that has the reference.
  if (path === '/v1/payouts' && status === 409) return true;
  if (path.endsWith('/check')) return status < 400;
  return (
    status === 201 &&
    /^\/v1\/(?:\w+|notification-endpoints|codec-sessions|payments\/\{id\}\/(?:captures|refunds))$/.test(path)
  );
}
