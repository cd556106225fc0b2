import {
  takeShownEvent,
  deleteForeignEvents,
  findMissingEvents,
  findOwnResources,
  giveUpParkedEvents,
  type JournaledEvent,
  journalWebhookEvent,
} from '#database/events';
import type { Database } from '#database/connection';
import type { Owner } from '#database/schema';
import { noteEventsSearched, noteReconciled, openReconciliation } from '#database/reconciliation';
import { type FoundEvent, RejectedError } from '#payments-client';
import { newEventOf } from '#webhook-inbox';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { readTwoClocks } from '../process/two-clocks.js';
import { spansByOtherClock } from '../provider/clock-skew.js';
import { mayBeCut } from '../provider/cut-page.js';
import { SearchWindows, type Window } from './search-windows.js';

const pageSize = 100;
/** The most pages of one window; a fuller window is divided. */
const mostPagesOfWindow = 50;
/** The most pages of one reconciliation. After days of an outage several reconciliations catch up. */
const mostPagesOfRun = 200;

const day = 86_400_000;
/** The provider delivers an event again for three days (specification 6, provider-facts). */
const parkedForMs = 3 * day;
const foreignKeptForMs = 30 * day;
const tidiedAtOnce = 1_000;

/**
 * Searches the provider's past events since the cursor and writes missed ones to the inbox, as if they had been
 * delivered. The cursor moves after that: after a crash in between, the same time is searched again and nothing is
 * missing.
 */
export async function reconcileEvents(context: MaintenanceContext, owner: Owner): Promise<void> {
  const { db } = context;
  const { overlapMs, graceMs } = context.reconciliation;
  const { events_until: since } = await openReconciliation(db, owner, overlapMs);
  // The cursor never goes back, so no clock that is ahead may move it past time that was not searched.
  const { surely: now } = await readTwoClocks(db);
  // A cursor that is ahead, as clocks have been, must not stop the search until they have come there.
  const windows = new SearchWindows(Math.min(since.getTime(), now - overlapMs), now - graceMs);
  let pages = 0;
  let found = 0;
  let repeatedFrom: number | undefined;
  for (let window = windows.next(); window; window = windows.next()) {
    const most = windows.isShortest(window) ? Number.POSITIVE_INFINITY : mostPagesOfWindow;
    const taken = await takeWindow(context, owner, window, most);
    pages += taken.pages;
    found += taken.found;
    if (!taken.isWhole && !windows.isShortest(window)) {
      windows.wasTooMuch(window);
      continue;
    }
    if (taken.unreadable > 0 && repeatedFrom !== window.from) {
      // The answer may have been incomplete: it is asked for once more.
      repeatedFrom = window.from;
      continue;
    }
    if (taken.unreadable > 0) tellOfUnreadable(context, owner, taken);
    windows.wasTaken(window);
    // Later events may not be shown yet; the next search includes this time again.
    const until = new Date(Math.min(window.until, now - overlapMs));
    await noteEventsSearched(db, owner, { until, found });
    found = 0;
    if (pages >= mostPagesOfRun) return;
  }
  await noteReconciled(db, owner, { events: 'searched' });
  await giveUpParkedEvents(db, owner, { parkedForMs, limit: tidiedAtOnce });
  await deleteForeignEvents(db, owner, { keptForMs: foreignKeptForMs, limit: tidiedAtOnce });
}

interface TakenWindow {
  readonly pages: number;
  readonly found: number;
  /** The number of entries that are not events. */
  readonly unreadable: number;
  /** False when there were more than `most` pages, or a page may have lacked the next one. */
  readonly isWhole: boolean;
}

function tellOfUnreadable({ logger }: MaintenanceContext, owner: Owner, { unreadable }: TakenWindow): void {
  const skipped = 'the provider listed events that cannot be read; they were skipped';
  logger.warn({ ...owner, unreadable }, skipped);
}

/** Events are dated by the provider's clock, which its answers show, also that to the first search. */
async function takeWindow(
  context: MaintenanceContext,
  owner: Owner,
  window: Window,
  most: number,
): Promise<TakenWindow> {
  const taken = [await takeSpan(context, owner, window, most)];
  for (const span of spansByOtherClock(context.providers.for(owner), window))
    taken.push(await takeSpan(context, owner, span, most).catch(nothingIfRefused));
  const sumOf = (count: (each: TakenWindow) => number) => taken.reduce((sum, each) => sum + count(each), 0);
  return {
    pages: sumOf(({ pages }) => pages),
    found: sumOf(({ found }) => found),
    unreadable: sumOf(({ unreadable }) => unreadable),
    isWhole: taken.every(({ isWhole }) => isWhole),
  };
}

/** One wrong date of an answer leads to times at which a provider may not search. They must not stop the search. */
function nothingIfRefused(error: unknown): TakenWindow {
  if (!(error instanceof RejectedError)) throw error;
  return { pages: 1, found: 0, unreadable: 0, isWhole: true };
}

async function takeSpan(
  context: MaintenanceContext,
  owner: Owner,
  { from, until }: Window,
  most: number,
): Promise<TakenWindow> {
  const search = {
    startTime: new Date(from).toISOString(),
    endTime: new Date(until).toISOString(),
    pageSize,
  };
  let pages = 0;
  let found = 0;
  let unreadable = 0;
  let isWhole = true;
  for await (const page of context.providers.for(owner).events.search(search)) {
    pages += 1;
    found += await takeMissing(context, owner, page.events);
    unreadable += page.unreadable;
    isWhole &&= !mayBeCut(page, pageSize);
    if (pages >= most) return { pages, found, unreadable, isWhole: isWhole && page.nextQuery === undefined };
  }
  return { pages, found, unreadable, isWhole };
}

/**
 * Events of other users of the same account, and of payments that we do not know yet, are skipped and get no row: when
 * the engine learns of a payment at the provider, it reads its state.
 *
 * @returns the number of missed events.
 */
async function takeMissing(
  { db, dispatch }: MaintenanceContext,
  owner: Owner,
  events: readonly FoundEvent[],
): Promise<number> {
  const missing = await findMissingEvents(
    db,
    owner,
    events.map(({ event, body }) => newEventOf(event, body)),
  );
  const own = await findOwnResources(
    db,
    owner,
    missing.flatMap(({ resourceIds }) => resourceIds),
  );
  let found = 0;
  for (const event of missing) {
    if (!event.resourceIds.some((id) => own.has(id))) continue;
    const { id, isNew } = await takeShown(db, owner, event);
    if (isNew) found += 1;
    // It is in the inbox: if it cannot be dispatched now, the sweep dispatches it.
    await dispatch.dispatch(id).catch(() => undefined);
  }
  return found;
}

/** The content that the provider shows replaces what was delivered under the event's id. */
async function takeShown(
  db: Database,
  owner: Owner,
  event: ReturnType<typeof newEventOf>,
): Promise<Pick<JournaledEvent, 'id' | 'isNew'>> {
  const id = await takeShownEvent(db, owner, event);
  if (id !== undefined) return { id, isNew: false };
  return await journalWebhookEvent(db, { ...owner, ...event, source: 'reconciliation' });
}
