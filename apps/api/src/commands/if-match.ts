import type { IncomingHttpHeaders } from 'node:http';
import { Problem, versionMismatch } from '../problems/problem.js';
import { requestNow } from '../requests/caller-now.js';

/** A list of entity tags (RFC 9110, 8.8.3). */
const tagList = /^\s*(?:W\/)?"[\x21\x23-\x7e]*"(?:\s*,\s*(?:W\/)?"[\x21\x23-\x7e]*")*\s*$/;

/** The resources that have a version. */
const versioned = /^\/v1\/(?:payment|refund|plan|subscription|payout)s\/(?::id|\{id\})(?=\/|$)(.*)$/;

/**
 * Whether a route takes `If-Match`: a read of a resource with a version, and what is asked for it. Every other route of
 * `/v1` refuses the header, because a caller that sends it wants nothing to happen otherwise.
 *
 * @param route as Fastify or as OpenAPI writes it.
 */
export function takesIfMatch(method: string, route: string): boolean {
  const below = versioned.exec(route)?.[1];
  return below !== undefined && (method === 'POST' || (method === 'GET' && below === ''));
}

/** The entity tag of a version. */
export function tagOf(version: number): string {
  return `"${version}"`;
}

/**
 * The versions that the current request names in `If-Match`. A tag that is weak, or not a version, matches none.
 *
 * @returns undefined if any version will do.
 * @throws {Problem} 400 for a header that is no list of entity tags.
 */
export function expectedVersions(): readonly number[] | undefined {
  const { headers = {} }: { readonly headers?: IncomingHttpHeaders } = requestNow() ?? {};
  const given = headers['if-match'];
  if (given === undefined || given.trim() === '*') return undefined;
  if (!tagList.test(given))
    throw new Problem('malformed-request', {
      errors: [{ header: 'If-Match', detail: 'must be `*`, or entity tags such as `"7"`' }],
    });
  return [...given.matchAll(/(W\/)?"(\d{1,15})"/g)].flatMap(([, weak, version]) =>
    weak === undefined ? [Number(version)] : [],
  );
}

/** @throws {Problem} 412 if the current request expects another version. */
export function assertExpected(version: number): void {
  if (expectedVersions()?.includes(version) === false) throw versionMismatch(version);
}
