import { HttpException } from '@nestjs/common';
import { isDatabaseAway, isUnstorableText, ShareInUseError } from '#database/connection';
import { VersionMismatchError } from '#database/commands';
import { TemporalAwayError } from '#runs';
import { kindOfStatus, Problem, unavailable, versionMismatch } from './problem.js';

/**
 * The problem that the caller gets for an error. An unforeseen error reveals no details.
 *
 * @param bodyLimit bytes that the route accepts.
 */
export function problemOfError(error: unknown, bodyLimit?: number): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TemporalAwayError) return unavailable('The workflow service cannot be reached.');
  if (isDatabaseAway(error)) return unavailable('The database cannot be reached.');
  if (error instanceof ShareInUseError) return tooManyAtATime;
  if (error instanceof VersionMismatchError) return versionMismatch(error.version);
  if (isUnstorableText(error)) return unstorable;
  const status = statusOf(error);
  if (status === undefined || status >= 500) return new Problem('internal-error');
  const kind = kindOfStatus(status);
  return kind === 'content-too-large' && bodyLimit !== undefined
    ? new Problem(kind, { detail: `The body may have at most ${bodyLimit} bytes.` })
    : new Problem(kind);
}

/** Can only come from a part of the address: bodies were checked before. */
const unstorable = new Problem('malformed-request', { detail: 'The address contains a NUL character.' });

const tooManyAtATime = new Problem('too-many-requests', {
  detail: 'This caller already uses all the database connections that one caller may use.',
  headers: { 'retry-after': '1' },
});

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // Fastify's own refusals: a body too large, a malformed address.
  if (!(error instanceof Error) || !('code' in error) || !String(error.code).startsWith('FST_'))
    return undefined;
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined;
}
