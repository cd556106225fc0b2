import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '#database/connection/database.js';
import type { Runs } from '#runs';
import { EventDispatch } from '#webhook-inbox';
import { routeEvent } from '#webhook-inbox/event-route.js';
import type { RefundRunInput, RunStart } from '#workflows/contract';
import { payment } from '../lifecycle/payment/sample-payments.js';

afterEach(() => vi.restoreAllMocks());

const state = payment('captured');
const captureId = state.captures[0]!.captureId;

/**
 * A database in which these events are received, by their row ids.
 *
 * @param refunds keeps the refunds that are written.
 */
function databaseWith(events: readonly object[], refunds: Map<string, string>) {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const row = { environment: 'sandbox', application: 'shop', dispatches: 1, contradictions: 0 };
  const received = events.map((event, place) => ({ ...row, id: place, first_content: null, ...event }));
  const rowsOf = (name: string, [first]: readonly unknown[]): unknown[] => {
    if (name === 'lease-events') return (first as number[]).map((id) => received[id]);
    if (name === 'subjects-of-events') return [{ place: 0, id: 'pay_1', state }];
    return [];
  };
  vi.spyOn(poolOf(db), 'query').mockImplementation((async (asked: { name: string; values: unknown[] }) => ({
    rows: rowsOf(asked.name, asked.values),
  })) as never);
  const client = {
    query: async (text: string, values: readonly unknown[]) => {
      const texts = values.filter((value) => typeof value === 'string');
      const id = texts.find((value) => value.startsWith('re_')) ?? '';
      const written = texts.find((value) => value.startsWith('{"status"'));
      const kept = refunds.get(id);
      if (text.includes('insert into "refunds"') && kept === undefined && written !== undefined)
        refunds.set(id, written);
      const rows = kept === undefined ? [] : [{ id, state: JSON.parse(kept) as unknown }];
      return { command: 'SELECT', rowCount: rows.length, rows };
    },
    release: () => undefined,
  };
  vi.spyOn(poolOf(db) as unknown as { connect(): Promise<unknown> }, 'connect').mockResolvedValue(client);
  return db;
}

/** The claims of the runs that were started for events, by the run's subject: a second start is none. */
async function claimsAfter(...events: readonly object[]): Promise<ReadonlyMap<string, unknown>> {
  const claims = new Map<string, unknown>();
  const refunds = new Map<string, string>();
  const startWithMessage = async ({ subject, input }: RunStart) => {
    if (claims.has(subject.id)) return false;
    claims.set(subject.id, (input as RefundRunInput).claim);
    return true;
  };
  const dispatch = new EventDispatch(databaseWith(events, refunds), { startWithMessage } as unknown as Runs);
  for (const place of events.keys()) await dispatch.dispatch(place);
  // A refund that has no run counts, too.
  expect([...refunds.keys()]).toEqual([...claims.keys()]);
  return claims;
}

const reversed = (eventId: string) => ({
  event_id: eventId,
  event_type: 'PAYMENT.CAPTURE.REVERSED',
  resource: { kind: 'capture', id: captureId, state: 'refunded' },
  resource_ids: [captureId],
});
const refunded = (refundId: string, eventId: string) => ({
  event_id: eventId,
  event_type: 'PAYMENT.CAPTURE.REFUNDED',
  resource: { kind: 'refund', id: refundId, state: 'completed' },
  resource_ids: [captureId, refundId],
});

it.each([
  // Whoever holds the genuine delivery back knows its ids, and can send any other one before it (0019).
  ['a refund whose id a forged chargeback has as its event’s', reversed('REF-9'), refunded('REF-9', 'WH-9')],
  ['a chargeback whose event’s id a forged refund has', refunded('WH-9', 'WH-8'), reversed('WH-9')],
])('%s has a run of its own', async (_what, forged, genuine) => {
  const claims = await claimsAfter(forged, genuine);
  expect([...claims.values()]).toMatchObject([expect.anything(), expect.anything()]);
});

it('a refund that two events report is one, and two chargebacks of a capture are two', async () => {
  expect((await claimsAfter(refunded('REF-9', 'WH-1'), refunded('REF-9', 'WH-2'))).size).toBe(1);
  expect((await claimsAfter(reversed('WH-1'), reversed('WH-1'))).size).toBe(1);
  expect((await claimsAfter(reversed('WH-1'), reversed('WH-2'))).size).toBe(2);
});

it('a chargeback under whose event’s id another capture came first has a name of its own', () => {
  const first = { kind: 'capture', id: 'CAP-FORGED', state: 'refunded' } as const;
  const content = { eventType: 'PAYMENT.CAPTURE.REVERSED', resource: first, resourceIds: [captureId] };
  expect(
    routeEvent({ ...reversed('WH-1'), first_content: content } as never, { id: 'pay_1', state }),
  ).toMatchObject({ nameElsewhere: `WH-1:${captureId}` });
});

it('a chargeback under whose event’s id one of a sale with the same id came first has a name of its own', () => {
  const first = { kind: 'sale', id: captureId, state: 'refunded' } as const;
  const event = {
    event_id: 'WH-1',
    event_type: 'PAYMENT.CAPTURE.REVERSED',
    resource: { kind: 'capture', id: captureId, state: 'refunded' },
    first_content: { eventType: 'PAYMENT.SALE.REVERSED', resource: first, resourceIds: [captureId] },
  } as const;
  // The run of the first one reads a sale that does not exist, and ends as unfounded under the name of the event.
  expect(routeEvent(event, { id: 'pay_1', state })).toMatchObject({ nameElsewhere: `WH-1:${captureId}` });
});

it('each of three chargebacks that came under one event’s id has a run of its own', async () => {
  const first = { kind: 'capture', id: 'CAP-OF-ANOTHER', state: 'refunded' };
  const first_content = { eventType: 'PAYMENT.CAPTURE.REVERSED', resource: first, resourceIds: [first.id] };
  const others = (['sale', 'capture'] as const).map((kind) => ({
    ...reversed('WH-1'),
    resource: { kind, id: captureId, state: 'refunded' },
    first_content,
  }));
  const claims = await claimsAfter({ ...reversed('WH-1'), resource: first }, ...others);
  expect([...claims.values()]).toMatchObject([
    { collected: { kind: 'capture', id: first.id } },
    { collected: { kind: 'sale', id: captureId } },
    { collected: { kind: 'capture', id: captureId } },
  ]);
});
