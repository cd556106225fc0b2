import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#database/connection';
import {
  changeEndpoint,
  findEndpoint,
  findRegistered,
  mostEndpoints,
  type NewEndpoint,
  registerEndpoint,
  rotateSecret,
} from '#database/notifications';
import type { NotificationEndpointRow, Owner } from '#database/schema';
import { withoutEmails } from '#database/text';
import { openSealedText, sealText } from '#payload-codec';
import { bodyHash } from '../commands/idempotency.js';
import { type ApiConfig, apiConfig } from '../injected/api-config.js';
import { databaseToken } from '../injected/database-token.js';
import { Problem, invalid } from '../problems/problem.js';
import { noteReplay } from '../requests/caller-now.js';
import { newTimedId, timedIdPattern } from '../wire/ids.js';
import type { EndpointChangeRequest, NewEndpointRequest, RotationRequest } from './endpoint-requests.js';
import { addressProblem } from './receiver-address.js';

const msPerHour = 3_600_000;
const prefix = 'we_';
export const endpointIdPattern = timedIdPattern(prefix);

export interface EndpointWithSecret {
  readonly row: NotificationEndpointRow;
  readonly secret: string;
}

/** The endpoints of order services. Their secrets are kept encrypted. */
@Injectable()
export class NotificationEndpoints {
  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(apiConfig) private readonly config: ApiConfig,
  ) {}

  /** @throws {Problem} 422 for an address to which nothing may be sent, 409 for too many, a deleted one or another request. */
  async register(
    owner: Owner,
    idempotencyKey: string,
    request: NewEndpointRequest,
  ): Promise<EndpointWithSecret> {
    const hash = bodyHash(request);
    // First: a repeat is answered also while the host cannot be resolved.
    const known = await findRegistered(this.db, owner, idempotencyKey);
    const id = newTimedId(prefix, Date.now());
    const row = known ?? (await this.registerNew(owner, request, { id, idempotencyKey, bodyHash: hash }));
    if (!row) throw tooMany();
    if (row.body_hash !== hash) throw keyReused();
    if (row.id !== id) noteReplay();
    if (row.status === 'deleted') throw deletedSince();
    return this.withSecret(row);
  }

  private async registerNew(
    { environment, application }: Owner,
    { url, description, eventTypes }: NewEndpointRequest,
    asked: Pick<NewEndpoint, 'id' | 'idempotencyKey' | 'bodyHash'>,
  ): Promise<NotificationEndpointRow | undefined> {
    await this.checkAddress(url);
    return await registerEndpoint(this.db, {
      ...asked,
      environment,
      application,
      url,
      description: masked(description),
      eventTypes,
      secret: this.newSecret(asked.id),
    });
  }

  /** @throws {Problem} 404. */
  async get(owner: Owner, id: string): Promise<NotificationEndpointRow> {
    const row = endpointIdPattern.test(id) ? await findEndpoint(this.db, owner, id) : undefined;
    return row ?? noSuchEndpoint();
  }

  /** @throws {Problem} 404 or 422. */
  async change(owner: Owner, id: string, request: EndpointChangeRequest): Promise<NotificationEndpointRow> {
    await this.get(owner, id);
    if (request.url !== undefined) await this.checkAddress(request.url);
    const { description, state: status, ...rest } = request;
    const change = {
      ...rest,
      status,
      ...(description !== undefined && { description: masked(description) }),
    };
    return (await changeEndpoint(this.db, owner, id, change)) ?? noSuchEndpoint();
  }

  /** @throws {Problem} 404, 409 for a key that was used for another request. */
  async rotate(
    owner: Owner,
    id: string,
    rotationKey: string,
    request: RotationRequest,
  ): Promise<EndpointWithSecret> {
    await this.get(owner, id);
    const secret = this.newSecret(id);
    const rotated = await rotateSecret(this.db, owner, id, {
      secret,
      rotationKey,
      bodyHash: bodyHash(request),
      overlapMs: request.overlapHours * msPerHour,
    });
    if (rotated === 'key-reused') throw keyReused();
    if (rotated?.secret.equals(secret) === false) noteReplay();
    return this.withSecret(rotated ?? noSuchEndpoint());
  }

  private async checkAddress(url: string): Promise<void> {
    const detail = await addressProblem(url, this.config.notifications ?? {});
    if (detail !== undefined) throw invalid({ pointer: '/url', detail });
  }

  private newSecret(id: string): Buffer {
    return sealText(this.config.codecKeys, `whsec_${randomBytes(32).toString('base64')}`, id);
  }

  private withSecret(row: NotificationEndpointRow): EndpointWithSecret {
    return { row, secret: openSealedText(this.config.codecKeys, row.secret, row.id) };
  }
}

function masked(description: string | null): string | null {
  return description === null ? null : withoutEmails(description);
}

function noSuchEndpoint(): never {
  throw new Problem('not-found', { detail: 'There is no such notification endpoint.' });
}

function tooMany(): Problem {
  return new Problem('conflict', {
    code: 'too_many_endpoints',
    detail: `An application has at most ${mostEndpoints} notification endpoints.`,
  });
}

function deletedSince(): Problem {
  return new Problem('conflict', {
    code: 'endpoint_deleted',
    detail: 'The endpoint of this Idempotency-Key was deleted. Register it again under a fresh key.',
  });
}

function keyReused(): Problem {
  return new Problem('idempotency-key-reused', {
    detail: 'Use a fresh Idempotency-Key for each request, and the same one only to repeat it.',
    errors: [{ header: 'Idempotency-Key', detail: 'belongs to another request' }],
  });
}
