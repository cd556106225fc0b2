import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Transaction } from 'kysely';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { Tables } from '../database/tables.js';
import { alterAnswer } from '../faults/altered-answer.js';
import type { CallFaultKind, OutcomeFault } from '../faults/fault-kinds.js';
import { InventedRefusal } from '../faults/invented-refusal.js';
import { ApiError } from '../http/api-error.js';
import type { LateDecider } from '../http/operations.js';
import { callingApplication } from './request-state.js';

/**
 * Runs once the call is authenticated and its body is read, before its operation. A late operation waits here: it then
 * runs only once, whether or not its caller still listens.
 */
export async function applyFaultBefore(context: SandboxContext, request: FastifyRequest): Promise<void> {
  const { call } = request;
  if (call === null) return;
  const { id = '' } = (request.params ?? {}) as { id?: string };
  const { operation, clientId } = call;
  const fault = await context.faults.useForCall({ operation, clientId, resourceId: id });
  context.calls.logBegin(call);
  if (fault === null) return;
  request.fault = fault;
  call.fault = fault.kind;
  if (fault.kind === 'status') throw new InventedRefusal(fault.status, fault.retryAfter);
  if (fault.kind === 'late') await holdCall(context, fault.executeAfterMs);
}

/** Runs in the transaction of an operation that knows only there whether a fault makes a difference. */
export async function findFaultInside(
  context: SandboxContext,
  request: FastifyRequest,
  operation: LateDecider,
  transaction: Transaction<Tables>,
): Promise<OutcomeFault | null> {
  if (request.fault !== null) return null;
  const { clientId } = callingApplication(request);
  const fault = await context.faults.useInside(transaction, operation, clientId);
  request.fault = fault;
  if (request.call !== null && fault !== null) request.call.fault = fault.kind;
  return fault;
}

/** Runs once the operation is done and committed, before its answer is written. Returns the payload to write. */
export async function applyFaultAfter(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { fault, call } = request;
  switch (fault?.kind) {
    case 'drop_reply':
      request.raw.socket.destroy();
      return payload;
    case 'delay':
      await holdCall(context, fault.delayMs).catch(() => undefined);
      return payload;
    case 'late': {
      const heldMs = call === null ? 0 : Date.now() - call.startedAt.getTime();
      await holdCall(context, Math.max(0, fault.delayMs - heldMs)).catch(() => undefined);
      return payload;
    }
    case 'garbage':
      return garble(fault, reply, payload);
    case 'drip':
      return typeof payload === 'string' ? drip(context, fault, reply, payload) : payload;
    case 'unknown_enum':
    case 'reshape':
      reply.removeHeader('content-length');
      return typeof payload === 'string' ? alterAnswer(fault, payload) : payload;
    // Those took effect before the operation, or take effect inside it.
    default:
      return payload;
  }
}

/** As gateways spell it, not the service. */
const gatewayError = { error: 'request_blocked', message: 'The gateway has blocked this request.' };

function garble(
  fault: Extract<CallFaultKind, { kind: 'garbage' }>,
  reply: FastifyReply,
  payload: unknown,
): string {
  reply.removeHeader('content-length');
  if (fault.status !== undefined) reply.code(fault.status);
  if (fault.contentType !== undefined) reply.header('content-type', fault.contentType);
  if (fault.body === 'empty') return '';
  if (fault.body === 'gateway_json') return JSON.stringify(gatewayError);
  return fault.body === 'truncated' && typeof payload === 'string'
    ? payload.slice(0, Math.ceil(payload.length / 2))
    : '<html><body>502 Bad Gateway</body></html>';
}

/** The length is announced, so that a client knows how much is missing. Stops, unfinished, with the service. */
function drip(
  context: SandboxContext,
  { chunkBytes, everyMs }: Extract<CallFaultKind, { kind: 'drip' }>,
  reply: FastifyReply,
  payload: string,
): Readable {
  const bytes = Buffer.from(payload);
  reply.header('content-length', String(bytes.length));
  async function* slowChunks() {
    for (let start = 0; start < bytes.length; start += chunkBytes) {
      if (start > 0) await sleep(everyMs, undefined, { signal: context.closing });
      yield bytes.subarray(start, start + chunkBytes);
    }
  }
  return Readable.from(slowChunks());
}

/** @throws ApiError SERVICE_UNAVAILABLE when the service closes first: the operation then never runs. */
async function holdCall(context: SandboxContext, milliseconds: number): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: context.closing });
  } catch {
    throw new ApiError('SERVICE_UNAVAILABLE');
  }
}
