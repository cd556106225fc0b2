import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '#database/connection/database.js';
import { type ClockOffsets, RejectedError } from '#payments-client';
import { readWebhookEvent } from '#payments-client/webhooks';
import { reconcileEvents } from '#worker/reconciliation/reconcile-events.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';

afterEach(() => vi.restoreAllMocks());

const owner = { environment: 'sandbox', application: 'shop' } as const;
const now = Date.UTC(2026, 0, 5, 12);
const hour = 3_600_000;
const call = { operation: 'webhookEvent.search', requestId: 'r-1' };

/** One event every 20 s for an hour, all of which end before the overlap of the next search. */
const events = Array.from({ length: 180 }, (_, number) => ({
  at: now - 2 * hour + number * 20_000,
  found: eventNumbered(number),
}));

function eventNumbered(number: number) {
  const body = {
    id: `WH-${number}`,
    event_type: 'PAYMENT.CAPTURE.REFUNDED',
    resource_type: 'refund',
    resource: { id: `REF-${number}`, state: 'completed', parent_payment: 'PAY-1' },
  };
  return { event: readWebhookEvent(body), body };
}

/** A provider whose answers show the first page of what they are asked for, and lack the link to the next one. */
function cutShort(seen: Set<string>) {
  return async function* search({
    startTime,
    endTime,
    pageSize = 100,
  }: {
    startTime?: string;
    endTime?: string;
    pageSize?: number;
  }) {
    const [from, until] = [Date.parse(startTime ?? ''), Date.parse(endTime ?? '')];
    const page = events.filter(({ at }) => at >= from && at < until).slice(0, pageSize);
    for (const { found } of page) seen.add(found.event.id);
    yield { events: page.map(({ found }) => found), unreadable: 0, nextQuery: undefined };
  };
}

/** A provider that has 60 pages for the hour, with all links, and counts those that are asked for. */
function inPages(seen: Set<string>) {
  return async function* search({ startTime, endTime }: { startTime?: string; endTime?: string }) {
    const [from, until] = [Date.parse(startTime ?? ''), Date.parse(endTime ?? '')];
    const shown = events.filter(({ at }) => at >= from && at < until);
    for (let first = 0; first === 0 || first < shown.length; first += 3) {
      const page = shown.slice(first, first + 3).map(({ found }) => found);
      for (const { event } of page) seen.add(event.id);
      yield { events: page, unreadable: 0, nextQuery: first + 3 < shown.length ? '?next' : undefined };
    }
  };
}

/** A provider that lists an entry every minute that is no event, always or the first time that it is asked. */
function withEntriesThatAreNone(asked: string[], isAlways: boolean) {
  return async function* search({ startTime = '', endTime = '' }: { startTime?: string; endTime?: string }) {
    const isFirst = !asked.includes(startTime);
    asked.push(startTime);
    const minutes = (Date.parse(endTime) - Date.parse(startTime)) / 60_000;
    yield { events: [], unreadable: isAlways || isFirst ? Math.ceil(minutes) : 0, nextQuery: undefined };
  };
}

const statements: string[] = [];
const cursors: unknown[] = [];

/** The cursor of the search is two hours old; the inbox holds all events that it is asked for. */
function database() {
  statements.length = 0;
  cursors.length = 0;
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const client = {
    query: async (text: string, values: readonly unknown[] = []) => {
      statements.push(text);
      if (text.includes('"events_until" =')) cursors.push(values[0]);
      return { command: 'SELECT', rowCount: 0, rows: rowsOf(text) };
    },
    release: () => undefined,
  };
  vi.spyOn(poolOf(db) as unknown as { connect(): Promise<unknown> }, 'connect').mockResolvedValue(client);
  return db;
}

function rowsOf(statement: string): unknown[] {
  if (statement.includes('clock_timestamp() as now')) return [{ now: new Date(now) }];
  if (statement.startsWith('select') && statement.includes('from "reconciliations"'))
    return [{ ...owner, events_until: new Date(now - 2 * hour) }];
  return [];
}

const sameClock = { least: 0, most: 0 };

function contextWith(search: unknown, clockOffsets: ClockOffsets = sameClock): MaintenanceContext {
  return {
    db: database(),
    providers: { for: () => ({ events: { search }, clockOffsets }) },
    logger: pino({ level: 'silent' }),
    reconciliation: { overlapMs: 120_000, graceMs: 10_000 },
  } as unknown as MaintenanceContext;
}

async function searchAt(search: unknown): Promise<void> {
  await reconcileEvents(contextWith(search), owner);
}

it.each([
  ['that are no events', true],
  ['that the second answer shows as none', false],
])('the search for missed events ends, whatever number of entries %s are listed', async (_what, isAlways) => {
  const asked: string[] = [];
  await reconcileEvents(contextWith(withEntriesThatAreNone(asked, isAlways)), owner);
  // Each of the two hours is asked for twice.
  expect(asked).toHaveLength(4);
  expect(statements.some((text) => text.includes('"events_searched_at" ='))).toBe(true);
});

// The cursor passes them all: what is not shown now is never searched again.
it.each([
  ['believes no full page that lacks the next one', cutShort],
  ['leaves out no page of an hour that has too many', inPages],
])('the search for missed events %s', async (_what, provider) => {
  const seen = new Set<string>();
  await searchAt(provider(seen));
  expect(seen.size).toBe(events.length);
});

/** A provider that dates its events by another clock. */
function byAnotherClock(seen: Set<string>, offset: number) {
  return async function* search({ startTime = '', endTime = '' }: { startTime?: string; endTime?: string }) {
    const [from, until] = [Date.parse(startTime) - offset, Date.parse(endTime) - offset];
    const shown = events.filter(({ at }) => at >= from && at < until).map(({ found }) => found);
    for (const { event } of shown) seen.add(event.id);
    yield { events: shown, unreadable: 0, nextQuery: undefined };
  };
}

it.each([
  ['five hours behind', -5 * hour],
  ['five hours ahead', 5 * hour],
])('the search for missed events finds those of a provider whose clock is %s', async (_what, offset) => {
  const seen = new Set<string>();
  const shown = { least: Math.min(offset, 0), most: Math.max(offset, 0) };
  await reconcileEvents(contextWith(byAnotherClock(seen, offset), shown), owner);
  expect(seen.size).toBe(events.length);
});

it('the search for missed events believes no full page that lacks the next one by the provider’s own clock either', async () => {
  const seen = new Set<string>();
  const [firstPages, ahead] = [cutShort(seen), 5 * hour];
  const earlier = (at = '') => new Date(Date.parse(at) - ahead).toISOString();
  const byItsClock = ({ startTime, endTime, ...more }: Parameters<typeof firstPages>[0]) =>
    firstPages({ ...more, startTime: earlier(startTime), endTime: earlier(endTime) });
  await reconcileEvents(contextWith(byItsClock, { least: 0, most: ahead }), owner);
  expect(seen.size).toBe(events.length);
});

it('the search for missed events asks again for entries that are no events by the provider’s own clock, too', async () => {
  const asked: string[] = [];
  async function* search({ startTime = '' }: { startTime?: string }) {
    const isByItsClock = Date.parse(startTime) > now;
    const isAgain = asked.includes(startTime);
    if (isByItsClock) asked.push(startTime);
    yield { events: [], unreadable: isByItsClock && !isAgain ? 1 : 0, nextQuery: undefined };
  }
  await reconcileEvents(contextWith(search, { least: 0, most: 5 * hour }), owner);
  expect(asked).toHaveLength(4);
});

it('the search for missed events finds those of a clock that was between two others that were shown', async () => {
  const seen = new Set<string>();
  const shown = { least: -9 * hour, most: 5 * hour, others: [-3 * hour] };
  await reconcileEvents(contextWith(byAnotherClock(seen, -3 * hour), shown), owner);
  expect(seen.size).toBe(events.length);
});

it('the search for missed events goes on when the provider refuses the times of a date that one answer had wrong', async () => {
  const seen = new Set<string>();
  const search = byAnotherClock(seen, 0);
  const refusing = (asked: { startTime?: string; endTime?: string }) => {
    if (Date.parse(asked.endTime ?? '') > now) throw new RejectedError(call, { status: 400 }, []);
    return search(asked);
  };
  await reconcileEvents(contextWith(refusing, { least: 0, most: 8_760 * hour }), owner);
  expect(seen.size).toBe(events.length);
});

// The cursor never goes back: what it has passed is never searched again.
it('the search for missed events goes no further than the worker’s clock if the database’s is an hour ahead', async () => {
  const present = now - hour;
  vi.spyOn(Date, 'now').mockReturnValue(present);
  await searchAt(byAnotherClock(new Set(), 0));
  expect(cursors.length).toBeGreaterThan(0);
  expect(Math.max(...cursors.map((until) => new Date(String(until)).getTime()))).toBe(present - 120_000);
});

it('the search for missed events goes on if its cursor is ahead of both clocks', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(now - 3 * hour);
  const asked: string[] = [];
  await reconcileEvents(contextWith(withEntriesThatAreNone(asked, false)), owner);
  expect(asked[0]).toBe(new Date(now - 3 * hour - 120_000).toISOString());
});

it('the search for missed events goes on after a second that has more events than a page', async () => {
  const crowd = events.slice(0, 100).map(({ found }) => found);
  const crowdedAt = now - hour;
  let searches = 0;
  let searchedUntil = 0;
  await searchAt(async function* search({ startTime, endTime }: { startTime: string; endTime: string }) {
    searches += 1;
    if (searches > 1_000) throw new Error('it searches the same second for ever');
    const [from, until] = [Date.parse(startTime), Date.parse(endTime)];
    searchedUntil = Math.max(searchedUntil, until);
    yield {
      events: from <= crowdedAt && crowdedAt < until ? crowd : [],
      unreadable: 0,
      nextQuery: undefined,
    };
  });
  expect(searchedUntil).toBe(now - 10_000);
});
