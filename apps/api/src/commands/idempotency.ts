import { createHash, type Hash } from 'node:crypto';
import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { hasCardNumber, hasEmail } from '#database/text';
import { type NewCommand, reservedKeyPrefixes } from '#database/commands';
import type { CommandRow } from '#database/schema';
import { kindOf } from '#workflows/contract';
import { idempotencyKeyPattern } from '../wire/fields.js';
import { isLongList, slicesOf } from '../wire/long-lists.js';
import { sha256 } from '../auth/same-secret.js';
import { Problem, invalid } from '../problems/problem.js';
import { noteReplay } from '../requests/caller-now.js';
import { cardNumber } from '../requests/request-validation.pipe.js';

/** The header Idempotency-Key, required wherever a request can move money. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const [key, ...more] =
    context.switchToHttp().getRequest<FastifyRequest>().raw.headersDistinct['idempotency-key'] ?? [];
  if (key === undefined || key === '') throw refusedKey('is required');
  // Node joins them to one value, which would be another key than that of a repeat which sends it once.
  if (more.length > 0) throw refusedKey('must be sent once');
  if (!idempotencyKeyPattern.test(key)) {
    throw refusedKey('must be 1 to 255 printable ASCII characters');
  }
  // The key is stored with the request and shown in its problems.
  if (hasCardNumber(key)) throw invalid({ header: 'Idempotency-Key', detail: cardNumber });
  if (hasEmail(key)) throw invalid({ header: 'Idempotency-Key', detail: 'must not hold an e-mail address' });
  const reserved = reservedKeyPrefixes.find((prefix) => key.startsWith(prefix));
  if (reserved) throw refusedKey(`must not start with "${reserved}"`);
  return key;
});

function refusedKey(detail: string): Problem {
  return new Problem('malformed-request', { errors: [{ header: 'Idempotency-Key', detail }] });
}

/** Equal for equal requests, whatever the order of their fields and the spelling of their amounts. */
export function bodyHash(body: unknown): string {
  return sha256(canonicalJson(body)).toString('hex');
}

/** The same for a body with long lists. They are hashed in slices, so that other requests are not delayed. */
export async function longBodyHash(body: Readonly<Record<string, unknown>>): Promise<string> {
  const hash = createHash('sha256');
  let separator = '{';
  for (const [name, member] of membersOf(body)) {
    hash.update(`${separator}${JSON.stringify(name)}:`);
    separator = ',';
    if (!isLongList(member)) hash.update(canonicalJson(member));
    else await addList(hash, member);
  }
  return hash.update(separator === '{' ? '{}' : '}').digest('hex');
}

async function addList(hash: Hash, list: readonly unknown[]): Promise<void> {
  for await (const { start, slice } of slicesOf(list)) {
    hash.update((start === 0 ? '[' : ',') + slice.map(canonicalJson).join(','));
  }
  hash.update(']');
}

/**
 * Checks an order. A refused order has no subject, so its problem is kept in its command.
 *
 * @throws {Problem} 409 if the key was used for another request; the kept problem if the order was refused, because a
 *   later copy must not be carried out.
 */
export function assertSameOrder(
  command: CommandRow,
  { id, kind, bodyHash }: Pick<NewCommand, 'kind' | 'bodyHash'> & Partial<Pick<NewCommand, 'id'>>,
): void {
  assertSameRequest(command, { ...(id !== undefined && { id }), kind, bodyHash });
  if (command.result?.problem) throw Problem.again(command.result.problem);
}

/**
 * @param earlier the command in the database: of this request, or of an earlier one with its key.
 * @throws {Problem} 409 if the key was used for another request.
 */
export function assertSameRequest(
  earlier: CommandRow,
  request: Pick<NewCommand, 'kind' | 'bodyHash'> & Partial<Pick<NewCommand, 'id' | 'subjectId'>>,
): void {
  const isSame =
    earlier.kind === request.kind &&
    earlier.body_hash === request.bodyHash &&
    (request.subjectId === undefined || earlier.subject_id === request.subjectId);
  if (isSame) {
    if (earlier.id !== request.id) noteReplay();
    return;
  }
  throw new Problem('idempotency-key-reused', {
    detail: 'Use a fresh Idempotency-Key for each request, and the same one only to repeat it.',
    errors: [{ header: 'Idempotency-Key', detail: 'belongs to another request' }],
    ...(!earlier.result?.problem && { [`${kindOf({ id: earlier.subject_id })}Id`]: earlier.subject_id }),
  });
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = membersOf(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`,
  );
  return `{${members.join(',')}}`;
}

function membersOf(value: object): [string, unknown][] {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
