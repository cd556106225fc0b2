import type { Random } from '#proof/faults/random.js';
import { bend } from './crc-collision.js';

/** Values that a careless reader chokes on. */
const hostileValues: readonly unknown[] = [
  null, true, -0, 1e308, Number.MAX_SAFE_INTEGER + 2, '', ' ', '\0', '\ud800', '\udfff\ud800', '\u202e', '\ufeff',
  '💥'.repeat(40), 'A'.repeat(5_000), '../../etc/passwd', "'; drop table payments; --", '${jndi:ldap://x}',
  '<script>alert(1)</script>', '%00', '\r\nSet-Cookie: a=b', [], {}, [[[[]]]], { toString: null },
  { __proto__: { polluted: true } }, { constructor: { prototype: 1 } }, 'constructor', '__proto__', '9'.repeat(400),
]; // prettier-ignore

const envelopeFields = [
  'id',
  'event_type',
  'trigger_event',
  'resource_type',
  'resource',
  'create_time',
  'summary',
];
const resourceFields = [
  'id', 'state', 'status', 'amount', 'parent_payment', 'payer', 'links', 'authorization_id', 'capture_id', 'valid_until',
]; // prettier-ignore

export const resourceTypes = [
  ['payment', 'PAYMENTS.PAYMENT.CREATED'],
  ['authorization', 'PAYMENT.AUTHORIZATION.VOIDED'],
  ['capture', 'PAYMENT.CAPTURE.COMPLETED'],
  ['capture', 'PAYMENT.CAPTURE.DENIED'],
  ['refund', 'PAYMENT.CAPTURE.REFUNDED'],
  ['sale', 'PAYMENT.SALE.REVERSED'],
  ['Agreement', 'BILLING.SUBSCRIPTION.CANCELLED'],
  ['payouts', 'PAYMENT.PAYOUTSBATCH.SUCCESS'],
] as const;

/** An event as the provider would write it; what it says need not be true. */
export function plausibleEvent(random: Random, id: string, resourceId: string): Record<string, unknown> {
  const [resourceType, eventType] = random.pick(resourceTypes);
  return {
    id,
    resource_type: resourceType,
    [random.chance(0.5) ? 'event_type' : 'trigger_event']: eventType,
    create_time: '2026-01-01T00:00:00Z',
    summary: bend,
    resource: {
      id: resourceId,
      state: random.pick([
        'completed',
        'voided',
        'captured',
        'denied',
        'pending',
        'refunded',
        'expired',
        'approved',
      ]),
      amount: { total: random.pick(['0.01', '100.00', '99999999.99', '-5', 'NaN']), currency: 'USD' },
      parent_payment: resourceId,
    },
  };
}

/** The same event with some of its fields gone, doubled, or holding what nobody expects there. */
export function mutilated(random: Random, event: Record<string, unknown>): Record<string, unknown> {
  const resource = { ...(event['resource'] as Record<string, unknown>) };
  const broken: Record<string, unknown> = { ...event, resource };
  for (let i = random.integer(1, 4); i > 0; i--) {
    const [target, fields] = random.chance(0.5) ? [broken, envelopeFields] : [resource, resourceFields];
    const field = random.chance(0.9)
      ? random.pick(fields)
      : random.pick(['__proto__', 'constructor', '\0', 'toString']);
    if (random.chance(0.2)) Reflect.deleteProperty(target, field);
    else target[field] = random.pick(hostileValues);
  }
  return broken;
}

/** Bytes that are no event at all. */
export function garbage(random: Random): Buffer {
  return random.weighted<() => Buffer>([
    [() => noise(random, random.integer(0, 2_000)), 4],
    [() => Buffer.from('{"id":"WH-1","resource":'.concat('['.repeat(random.integer(65, 20_000)))), 1],
    [() => nested(random.integer(65, 20_000)), 1],
    [() => Buffer.concat([Buffer.from('{"id":"'), noise(random, 50), Buffer.from('"}')]), 2],
    [() => Buffer.from(JSON.stringify(random.pick(hostileValues)) ?? ''), 3],
    [() => Buffer.from('\ufeff{}'), 1],
    [() => Buffer.from(`{"id":"WH-${'9'.repeat(random.integer(1, 400))}"`), 1],
    [() => Buffer.from(`{"id":1e${'9'.repeat(9)},"resource":{}}`), 1],
    [() => Buffer.alloc(random.integer(1, 5_000), 0), 1],
    [() => Buffer.from('null'), 1],
  ])();
}

function nested(depth: number): Buffer {
  return Buffer.from(`${'{"resource":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
}
