import type { KeptProblem } from '#database/schema';

/** Which part of the request is wrong, and why. Exactly one locator is set. */
export interface FieldProblem {
  /** JSON pointer into the body (RFC 6901). */
  readonly pointer?: string;
  readonly header?: string;
  readonly parameter?: string;
  readonly detail: string;
}

/** Members of a problem document beyond those of RFC 9457. */
interface ProblemExtensions {
  readonly detail?: string;
  readonly errors?: readonly FieldProblem[];
  /** Machine-readable reason. */
  readonly code?: string;
  readonly currentState?: string;
  readonly allowedActions?: readonly string[];
  /** Of the resource that the request was about. */
  readonly currentVersion?: number;
  /** What the process cannot reach. */
  readonly missing?: readonly string[];
  /** Of the provider's answer that declined the request. */
  readonly providerCode?: string;
  readonly providerDebugId?: string;
  /** The subject of the refused request. */
  readonly paymentId?: string;
  readonly refundId?: string;
  readonly planId?: string;
  readonly subscriptionId?: string;
  readonly payoutId?: string;
}

export interface ProblemOptions extends ProblemExtensions {
  readonly headers?: Readonly<Record<string, string>>;
}

/** Titles by kind; the kind is also the end of the problem's type URI. */
export const problemKinds = {
  'malformed-request': [400, 'The request cannot be parsed'],
  unauthorized: [401, 'The credentials are missing or wrong'],
  'payment-declined': [402, 'The provider declined the request'],
  forbidden: [403, 'The credentials do not allow this'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'The method is not allowed here'],
  'request-timeout': [408, 'The request did not arrive in time'],
  conflict: [409, 'The request does not fit the current state'],
  'idempotency-key-reused': [409, 'The idempotency key was used for another request'],
  'precondition-failed': [412, 'The resource has another version'],
  'content-too-large': [413, 'The request is too large'],
  'uri-too-long': [414, 'The address is too long'],
  'unsupported-media-type': [415, 'The media type is not supported'],
  'validation-failed': [422, 'The request is not valid'],
  'too-many-requests': [429, 'Too many requests'],
  'headers-too-large': [431, 'The headers are too large'],
  'client-gone': [499, 'The request ended before it was complete'],
  'internal-error': [500, 'Internal error'],
  unavailable: [503, 'Temporarily unavailable'],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemKind = keyof typeof problemKinds;

/** An error as the caller sees it (RFC 9457). Any code can throw it; ProblemFilter writes the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  private readonly extensions: ProblemExtensions;

  constructor(
    readonly kind: ProblemKind,
    { headers = {}, ...extensions }: ProblemOptions = {},
  ) {
    super(problemKinds[kind][1]);
    this.status = problemKinds[kind][0];
    this.headers = headers;
    this.extensions = extensions;
  }

  get detail(): string | undefined {
    return this.extensions.detail;
  }

  get code(): string | undefined {
    return this.extensions.code;
  }

  /** The form stored with a refused order, to give the same answer again: see `Problem.again`. */
  kept(): KeptProblem {
    const { kind, headers, extensions } = this;
    return { kind, headers, extensions: { ...extensions } };
  }

  /** The same problem with what the provider said. */
  with(extensions: Pick<ProblemExtensions, 'providerCode' | 'providerDebugId'>): Problem {
    return new Problem(this.kind, { ...this.extensions, ...extensions, headers: this.headers });
  }

  static again({ kind, headers, extensions }: KeptProblem): Problem {
    return new Problem(kind as ProblemKind, { ...extensions, headers });
  }

  /** The members of the problem document. */
  document(): Record<string, unknown> {
    return {
      type: `urn:payments:problem:${this.kind}`,
      title: problemKinds[this.kind][1],
      status: this.status,
      code: this.kind.replaceAll('-', '_'),
      ...this.extensions,
    };
  }
}

/** The database or Temporal is away. Nothing was decided; the same request can be repeated. */
export function unavailable(detail: string, retryAfterSeconds = 2): Problem {
  return new Problem('unavailable', { detail, headers: { 'retry-after': String(retryAfterSeconds) } });
}

/** Nothing was done, and nothing is kept under the request's key. */
export function versionMismatch(currentVersion: number): Problem {
  return new Problem('precondition-failed', {
    code: 'version_mismatch',
    detail: `The resource has version ${currentVersion}, or is about to change. Read it, and decide again.`,
    currentVersion,
  });
}

export function invalid(...errors: readonly FieldProblem[]): Problem {
  return new Problem('validation-failed', { errors });
}

/** The kind for an HTTP status that Fastify or Nest itself has raised. */
export function kindOfStatus(status: number): ProblemKind {
  const found = Object.entries(problemKinds).find(([, [code]]) => code === status);
  if (found) return found[0] as ProblemKind;
  return status >= 400 && status < 500 ? 'malformed-request' : 'internal-error';
}
