import { HttpException } from '@nestjs/common';
import { isDatabaseAway, isUnstorableText, ShareInUseError } from '#database/connection';
import { TemporalAwayError } from '#runs';
import { kindOfStatus, Problem, unavailable } from './problem.js';

/**
 * What the caller is told of an error; an unforeseen one tells nothing but that it happened.
 *
 * @param bodyLimit bytes that the route takes.
 */
export function problemOfError(error: unknown, bodyLimit?: number): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TemporalAwayError) return unavailable('The workflow service cannot be reached.');
  if (isDatabaseAway(error)) return unavailable('The database cannot be reached.');
  if (error instanceof ShareInUseError) return tooManyAtATime;
  if (isUnstorableText(error)) return unstorable;
  const status = statusOf(error);
  if (status === undefined || status >= 500) return new Problem('internal-error');
  const kind = kindOfStatus(status);
  return kind === 'content-too-large' && bodyLimit !== undefined
    ? new Problem(kind, { detail: `The body may have at most ${bodyLimit} bytes.` })
    : new Problem(kind);
}

/** Of a part of the address, for what a body holds is checked before. */
const unstorable = new Problem('malformed-request', { detail: 'A NUL character stands where none can be.' });

const tooManyAtATime = new Problem('too-many-requests', {
  detail: 'Requests under this API key keep the database busier than one key may.',
  headers: { 'retry-after': '1' },
});

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // Fastify's own refusals: a body too large, a malformed address.
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('FST_'))
    return undefined;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
