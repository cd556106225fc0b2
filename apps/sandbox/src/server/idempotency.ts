import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql, type Transaction } from 'kysely';
import type { Application } from '../applications/applications.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { Tables } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import { poisonedAnswer } from '../faults/invented-refusal.js';
import { ApiError } from '../http/api-error.js';
import { sha256Hex } from '../http/identifiers.js';
import { traitsOf, type Operation } from '../http/operations.js';
import { callingApplication, requestIdOf } from './request-state.js';

/** Keys are kept for 30 real days, so that a client's repeat is recognized with short days, too. */
const KEY_LIFETIME_MS = 30 * 86_400_000;

export interface Answer {
  status: number;
  /** Null when the answer has no body. */
  body: object | null;
}

/**
 * Runs `effect` in one transaction and answers with its result. When the request id is honoured, the answer is stored
 * in that same transaction: the same id gets the same answer, and nothing happens twice.
 *
 * @throws ApiError RESOURCE_CONFLICT while a call with the same id is in progress; DUPLICATE_REQUEST_ID when the id was
 * used for another request.
 */
export async function answerOnce(
  context: SandboxContext,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  effect: (unit: UnitOfWork) => Promise<Answer>,
): Promise<FastifyReply> {
  const application = callingApplication(request);
  const isKeyed = isHonoured(operation, application);
  const requestId = requestIdOf(request, isKeyed);
  const { fault } = request;
  const does = fault?.kind === 'poison' ? async () => poisonedAnswer(fault, request.id) : effect;
  const answer = await context.database.transaction().execute(async (transaction) => {
    const unit = { transaction, now: new Date(), application, requestId, fault: outcomeFaultOf(request) };
    if (requestId === null || !isKeyed) return does(unit);
    return answerUnderKey(unit, operation, requestId, request, does);
  });
  context.wakeTasks();
  return answer.body === null
    ? reply.code(answer.status).send()
    : reply.code(answer.status).send(answer.body);
}

export async function deleteOldAnswers(context: SandboxContext, now: Date): Promise<void> {
  await context.database
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', new Date(now.getTime() - KEY_LIFETIME_MS))
    .execute();
}

async function answerUnderKey(
  unit: UnitOfWork,
  operation: Operation,
  requestId: string,
  request: FastifyRequest,
  effect: (unit: UnitOfWork) => Promise<Answer>,
): Promise<Answer> {
  const { transaction, now } = unit;
  const fingerprint = fingerprintOf(request, inOneOrder);
  const key = { client_id: unit.application.clientId, operation, request_id: requestId };
  if (!(await takeKey(transaction, Object.values(key).join('\n')))) throw new ApiError('RESOURCE_CONFLICT');
  const stored = await transaction
    .selectFrom('idempotent_answers')
    .select(['request_sha256', 'status', 'answer'])
    .where((where) => where.and(key))
    .executeTakeFirst();
  if (stored !== undefined) {
    const known = stored.request_sha256;
    // Older rows have that of the request as it was sent.
    if (known !== fingerprint && known !== fingerprintOf(request)) throw new ApiError('DUPLICATE_REQUEST_ID');
    return { status: statusOfRepeat(operation, stored.status), body: stored.answer };
  }
  const answer = await effect(unit);
  await transaction
    .insertInto('idempotent_answers')
    .values({
      ...key,
      request_sha256: fingerprint,
      status: answer.status,
      answer: answer.body === null ? null : JSON.stringify(answer.body),
      created_at: now,
    })
    .execute();
  return answer;
}

function statusOfRepeat(operation: Operation, status: number): number {
  return status === 201 ? (traitsOf(operation).repeatStatus ?? status) : status;
}

/** Held until the transaction ends, even when the process dies; false when another transaction holds it. */
async function takeKey(transaction: Transaction<Tables>, key: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS taken`.execute(transaction);
  return rows[0]?.taken === true;
}

function isHonoured(operation: Operation, application: Application): boolean {
  const { requestId } = traitsOf(operation);
  return (
    requestId === 'declared' || (requestId === 'undeclared' && application.settings.idempotency === 'all')
  );
}

function outcomeFaultOf({ fault }: FastifyRequest): OutcomeFault | null {
  return fault?.kind === 'decline' || fault?.kind === 'pending' ? fault : null;
}

function fingerprintOf(request: FastifyRequest, ordered?: (name: string, value: unknown) => unknown): string {
  const path = request.url.split('?', 1)[0]?.replace(/\/+$/, '');
  return sha256Hex(`${path}\n${JSON.stringify(request.body ?? {}, ordered)}`);
}

/** Members of a JSON object have no order, and clients that write them from a hash map change it. */
function inOneOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
