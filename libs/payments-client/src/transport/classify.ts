import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { MalformedAnswerError } from '../errors/malformed-answer-error.js';
import type { CallIdentity, FailureFacts, FailureReason } from '../errors/payments-error.js';
import { UnavailableError } from '../errors/unavailable-error.js';
import { type OutcomeEvidence, UnknownOutcomeError } from '../errors/unknown-outcome-error.js';
import type { Answer, ExchangeResult, Loss } from './exchange.js';
import type { Operation } from '../operations/operation.js';
import { factsOf, refusal } from './refusal.js';
import type { CallFailure } from './retry.js';
import { compiled } from '../schemas/compiled.js';
import { providerError, refusedToken, tokenError } from '../schemas/error-body.js';
import { resourceId } from '../schemas/received.js';

/** What one exchange proves about the call it belongs to. */
export type CallResult<A> =
  | { readonly kind: 'done'; readonly answer: A }
  /** The caller gave up, and nothing can have changed. */
  | { readonly kind: 'aborted' }
  | CallFailure;

/**
 * Classifies one exchange. The rule: "nothing happened" needs proof, which is an unsent request or the provider's own
 * refusal. Every other failure of a request that changes something is an unknown outcome.
 * @param id of the resource in the path; undefined where it has none
 * @param body the answer's parsed JSON, undefined where it is none
 */
export function classify<A>(
  operation: Operation<A>,
  identity: CallIdentity,
  id: string | undefined,
  result: ExchangeResult,
  body: unknown,
): CallResult<A> {
  const { status } = result;
  if (status !== undefined && isRefusal(operation, status, body))
    return refused(identity, status, result, body);
  if (result.kind === 'loss') return classifyLoss(operation, identity, result);
  if (result.status >= 200 && result.status < 300) {
    return classifySuccess(operation, identity, id, result, body);
  }
  const reason = result.status >= 500 ? 'server_error' : 'unexpected_status';
  return unproved(operation, identity, reason, factsOf(result.status, result.headers, body));
}

const ESCAPED_NUL = String.raw`\u0000`;
const ESCAPED_REPLACEMENT = String.raw`\ufffd`;

/**
 * Undefined where the body is empty, no JSON, or no UTF-8 (ids with replacement characters help nobody). NUL, which JSON
 * can only escape, is replaced: PostgreSQL stores no text with it, and fails on a query with it.
 */
export function parseBody(result: ExchangeResult): unknown {
  if (result.kind === 'loss' || result.body.length === 0 || !isUtf8(result.body)) return undefined;
  try {
    return JSON.parse(result.body.toString('utf8').replaceAll(ESCAPED_NUL, ESCAPED_REPLACEMENT));
  } catch {
    return undefined;
  }
}

/**
 * A 4xx with the provider's error document. Without one, something between it and us has answered, perhaps instead of the
 * provider's success. Not 408: the server stopped waiting, which does not prove that it did nothing.
 */
function isRefusal({ name }: Pick<Operation<unknown>, 'name'>, status: number, body: unknown): boolean {
  if (status < 400 || status >= 500 || status === 408) return false;
  const document = name === 'token' ? tokenError : status === 401 ? refusedToken : providerError;
  return document.safeParse(body).success;
}

function refused(
  identity: CallIdentity,
  status: number,
  { headers }: ExchangeResult,
  body: unknown,
): CallFailure {
  return { kind: 'refused', error: refusal(identity, status, headers, body) };
}

function classifyLoss<A>(operation: Operation<A>, identity: CallIdentity, loss: Loss): CallResult<A> {
  const harmless = !loss.isSent || operation.repeatability === 'safe';
  if (loss.reason === 'aborted' && harmless) return { kind: 'aborted' };
  const facts = { ...factsOf(loss.status, loss.headers, undefined), code: loss.code };
  if (!loss.isSent) return { kind: 'unsent', error: new UnavailableError(identity, loss.reason, facts) };
  return unproved(operation, identity, loss.reason, facts);
}

function classifySuccess<A>(
  operation: Operation<A>,
  identity: CallIdentity,
  id: string | undefined,
  { status, headers, body: raw }: Answer,
  body: unknown,
): CallResult<A> {
  // If no body is promised, one comes from a gateway, or tells of an error.
  if (operation.answer === null && raw.length === 0) return { kind: 'done', answer: undefined as A };
  const read = readAnswer(operation, id, body);
  if ('answer' in read) return { kind: 'done', answer: read.answer };
  const facts = factsOf(status, headers, undefined);
  if (operation.repeatability === 'safe') {
    return { kind: 'unread', error: new MalformedAnswerError(identity, facts, read.fields) };
  }
  // The answer is a success without details: the money has most likely moved.
  return unproved(operation, identity, 'malformed_answer', facts, read);
}

/** Reads the answer. If it lacks something, or is about another resource than was asked for, names the wrong fields. */
function readAnswer<A>(
  { answer, isAbout }: Operation<A>,
  id: string | undefined,
  body: unknown,
): { readonly answer: A } | { readonly fields: readonly string[]; readonly resourceId: string | undefined } {
  const parsed = answer && compiled(answer).safeParse(body);
  if (parsed?.success) {
    const isAnother = id !== undefined && isAbout?.(parsed.data, id) === false;
    return isAnother ? { fields: ['id'], resourceId: undefined } : { answer: parsed.data };
  }
  const issues = body === undefined ? [] : (parsed?.error.issues ?? []);
  const fields = [...new Set(issues.map(({ path }) => path.join('.').slice(0, 128)))];
  return { fields, resourceId: idIn(body) };
}

function unproved<A>(
  { repeatability }: Operation<A>,
  identity: CallIdentity,
  reason: FailureReason,
  facts: FailureFacts,
  evidence?: OutcomeEvidence,
): CallFailure {
  return repeatability === 'safe'
    ? { kind: 'unread', error: new UnavailableError(identity, reason, facts) }
    : { kind: 'unknown', error: new UnknownOutcomeError(identity, reason, facts, evidence) };
}

/** A payout batch has its id in its header. */
const identified = z
  .object({ id: z.unknown(), batch_header: z.object({ payout_batch_id: z.unknown() }) })
  .partial()
  .catch({});

function idIn(body: unknown): string | undefined {
  const { id, batch_header } = identified.parse(body);
  const named = resourceId.safeParse(id ?? batch_header?.payout_batch_id);
  return named.success ? named.data : undefined;
}
