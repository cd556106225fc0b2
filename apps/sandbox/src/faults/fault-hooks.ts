import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, errorNameOf } from '../http/api-error.js';
import type { SandboxContext } from '../sandbox-context.js';

/** A refusal that a fault invents; its status may be one that no real refusal has. */
class InventedRefusal extends ApiError {
  override readonly status: number;

  constructor(status: number, retryAfterSeconds: number | undefined) {
    super(errorNameOf(status), [], retryAfterSeconds);
    this.status = status;
  }
}

/**
 * Runs once the call is authenticated and its body is read, before its operation.
 * A late operation waits here: it then runs whether or not its caller still listens, and only once.
 */
export async function strikeBefore(context: SandboxContext, request: FastifyRequest): Promise<void> {
  const { call } = request;
  if (call === null) return;
  const fault = await context.faults.strikeCall(call.operation, call.clientId);
  context.calls.logBegin(call);
  if (fault === null) return;
  request.fault = fault;
  call.fault = fault.kind;
  if (fault.kind === 'status') throw new InventedRefusal(fault.status, fault.retryAfter);
  if (fault.kind === 'late') await holdCall(context, fault.executeAfterMs);
}

/** Runs once the operation is done and committed, before its answer is written. Answers the payload to write. */
export async function strikeAfter(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { fault, call } = request;
  switch (fault?.kind) {
    case 'drop_reply':
      request.raw.socket.destroy();
      break;
    case 'delay':
      await holdCall(context, fault.delayMs).catch(() => undefined);
      break;
    case 'late': {
      const heldMs = call === null ? 0 : Date.now() - call.startedAt.getTime();
      await holdCall(context, Math.max(0, fault.delayMs - heldMs)).catch(() => undefined);
      break;
    }
    case 'garbage':
      reply.removeHeader('content-length');
      return fault.body === 'truncated' && typeof payload === 'string'
        ? payload.slice(0, Math.ceil(payload.length / 2))
        : '<html><body>502 Bad Gateway</body></html>';
    case 'status':
    case 'decline':
    case 'pending':
    case undefined:
  }
  return payload;
}

/** @throws ApiError SERVICE_UNAVAILABLE when the service closes first: what has not run then never runs. */
async function holdCall(context: SandboxContext, milliseconds: number): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: context.closing });
  } catch {
    throw new ApiError('SERVICE_UNAVAILABLE');
  }
}
