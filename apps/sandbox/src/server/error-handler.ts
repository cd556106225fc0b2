import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ApiError, describeError, errorNameOf, type ErrorDetail, type ErrorName } from '../http/api-error.js';
import type { Link } from '../http/links.js';

interface Refusal {
  status: number;
  name: ErrorName;
  details: readonly ErrorDetail[];
  retryAfterSeconds?: number | undefined;
  links?: readonly Link[];
}

/** SQLSTATE classes that mean "the database is down or busy", and the driver's errors when it cannot connect. */
const DATABASE_AWAY = /^(08|53|57|ECONN|ENOTFOUND|ETIMEDOUT)/;
const LOST_A_LOCK = new Set(['40001', '40P01', '55P03']);

/**
 * Turns any error into an answer; only its code is logged, because messages may quote values.
 * @param describe the shape of the answer's body; by default the documented one of the payments API.
 */
export function handleErrors(logger: Logger, describe: typeof describeError = describeError) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalOf(error);
    if (refusal.status >= 500) {
      const code = 'code' in error ? error.code : error.name;
      logger.error(
        { debugId: request.id, operation: request.call?.operation, code, at: placeOf(error) },
        'call failed',
      );
    }
    if (refusal.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(refusal.retryAfterSeconds));
    return reply
      .code(refusal.status)
      .send(describe(refusal.name, refusal.details, request.id, refusal.links));
  };
}

function refusalOf(error: FastifyError | Error): Refusal {
  if (error instanceof ApiError) {
    const { status, code: name, details, retryAfterSeconds, links } = error;
    return { status, name, details, retryAfterSeconds, links };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Longer than any id of this service.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return { status: 404, name: 'INVALID_RESOURCE_ID', details: [] };
  if (
    DATABASE_AWAY.test(code) ||
    LOST_A_LOCK.has(code) ||
    /timeout exceeded|Connection terminated|not queryable/.test(error.message)
  ) {
    return { status: 503, name: 'SERVICE_UNAVAILABLE', details: [], retryAfterSeconds: 1 };
  }
  const status = 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500;
  if (status === 400) return { status, name: 'MALFORMED_REQUEST', details: [] };
  return { status, name: errorNameOf(status), details: [] };
}

/** The stack without the message. */
function placeOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .find((line) => line.trimStart().startsWith('at '))
    ?.trim();
}
