import { isUtf8 } from 'node:buffer';
import { isRecord, resourceIdsOf, type ResourceIds } from './resource-ids.js';

/** A delivered event (2.8), in either spelling of its type. */
export interface WebhookEvent {
  readonly id: string;
  /** `trigger_event` (specification), or `event_type` (public API). Unescaped text of the sender. */
  readonly eventType: string;
  /** Empty where the event does not say. */
  readonly resourceType: string;
  /** ISO 8601; undefined where missing or unreadable. */
  readonly createTime: string | undefined;
  readonly summary: string | undefined;
  /** As delivered. It is only a hint: read the resource from the API before you trust its state. */
  readonly resource: Readonly<Record<string, unknown>>;
  readonly resourceIds: ResourceIds;
}

/** The bytes are not a storable event. `reason` is our text and contains nothing of the body. */
export class MalformedEventError extends Error {
  override readonly name = 'MalformedEventError';
  readonly reason: string;

  constructor(reason: string) {
    super(`malformed webhook event: ${reason}`);
    this.reason = reason;
  }
}

/** @throws MalformedEventError */
export function parseWebhookEvent(rawBody: Uint8Array): WebhookEvent {
  return readWebhookEvent(parse(rawBody));
}

/**
 * Reads a parsed event, delivered or found by a search.
 * @throws MalformedEventError
 */
export function readWebhookEvent(body: unknown): WebhookEvent {
  if (!isRecord(body)) throw new MalformedEventError('not an object');
  const { id, resource_type: resourceType, create_time: createTime, summary } = body;
  const resource = body['resource'];
  if (typeof id !== 'string' || !/^[A-Za-z0-9][\w.-]{0,127}$/.test(id)) throw new MalformedEventError('id');
  if (!isRecord(resource)) throw new MalformedEventError('resource');
  const type = typeof resourceType === 'string' && isShortText(resourceType) ? resourceType : '';
  return {
    id,
    eventType: eventTypeOf(body),
    resourceType: type,
    createTime:
      typeof createTime === 'string' && !Number.isNaN(Date.parse(createTime)) ? createTime : undefined,
    summary: typeof summary === 'string' ? summary : undefined,
    resource,
    resourceIds: resourceIdsOf(type, resource),
  };
}

/** Both spellings may be present; different values would let two readers see different events. */
function eventTypeOf(body: Readonly<Record<string, unknown>>): string {
  const { trigger_event: specified, event_type: publicName } = body;
  const type = specified ?? publicName;
  if (typeof type !== 'string' || !isShortText(type)) throw new MalformedEventError('event type');
  if (publicName !== undefined && publicName !== null && publicName !== type) {
    throw new MalformedEventError('contradicting event types');
  }
  return type;
}

function parse(rawBody: Uint8Array): unknown {
  if (!isUtf8(rawBody)) throw new MalformedEventError('not UTF-8');
  try {
    return JSON.parse(Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).toString('utf8'));
  } catch {
    throw new MalformedEventError('not JSON');
  }
}

/** Printable and bounded: it becomes a column and a line in the console. */
function isShortText(text: string): boolean {
  return text.length > 0 && text.length <= 200 && !/\p{Cc}/u.test(text);
}
