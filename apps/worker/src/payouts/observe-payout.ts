import type { NewApiCall } from '#database/calls';
import { listOpenItems, totalItems } from '#database/subjects';
import type { PaymentsClient, PayoutBatch, PayoutPage } from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import {
  itemsPerPage,
  isProcessed,
  type ObserveEffect,
  type PayoutEvent,
  type PayoutFacts,
  isTerminal,
  countOpen,
} from '#workflows/lifecycle/payout';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { confirmedRead } from '../provider/read-again.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent, recordTransitionWithoutCall } from '../steps/activities/record-event.js';
import type { PayoutWork } from './payout-writer.js';
import { shownItem, takeShownItems } from './payout-facts.js';

/**
 * New pages are requested until then. The last call may take its own limit; both together are within the activity's
 * limit.
 */
const readingMs = 18_000;

interface Reading {
  readonly work: PayoutWork;
  readonly client: PaymentsClient;
  readonly input: PayoutStepInput;
  readonly batchId: string;
}

/**
 * Reads the batch. A webhook is only a hint; this read decides. Once the provider has processed the batch, its items
 * are written to their rows page by page, so that neither the history nor the state grows with them.
 */
export async function observePayout(
  work: PayoutWork,
  input: PayoutStepInput,
  items: ObserveEffect['items'],
): Promise<PayoutStepOutcome> {
  // Before the first page: an event that comes from now on may concern a page that was already read.
  if (items === 'all') await recordTransitionWithoutCall(work, input);
  const { shown: event, made } = await makeRead(work.context, () => read(work, input, items));
  // Its first pages were read before.
  const isPart = input.state.nextPage !== undefined;
  const calls = made.calls.map(withoutItems);
  return await recordEvent(work, input, event, isPart ? { calls } : { ...made, calls });
}

async function read(
  work: PayoutWork,
  input: PayoutStepInput,
  items: ObserveEffect['items'],
): Promise<PayoutEvent> {
  const { providerBatchId: batchId, status } = input.state;
  if (batchId === undefined) return { type: 'observationFailed' };
  const reading = { work, client: work.context.providers.for(input.identity), input, batchId };
  try {
    if (status === 'processing') return { type: 'payoutObserved', facts: await readBatch(reading) };
    const facts = (items === 'open' ? await readOpenItems(reading) : undefined) ?? (await readPages(reading));
    return { type: 'payoutObserved', facts };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

async function readBatch({ client, input, batchId }: Reading): Promise<PayoutFacts> {
  return factsOf(await client.payouts.get(batchId, { signal: lookLimit() }), input);
}

/**
 * Reads the few open items of a large batch one by one.
 *
 * @returns undefined if reading pages costs less, or if the provider does not know an item yet.
 */
async function readOpenItems(reading: Reading): Promise<PayoutFacts | undefined> {
  const { work, client, input } = reading;
  const { payoutId } = input.identity;
  const { db } = work.context;
  const pages = Math.ceil(input.state.order.items / itemsPerPage);
  if (input.state.nextPage !== undefined || countOpen(input.state.totals) >= pages) return undefined;
  const open = await listOpenItems(db, payoutId, pages);
  if (open.some(({ provider_item_id: id }) => id === null)) return undefined;
  let contradiction: string | undefined;
  for (const { provider_item_id: id } of open) {
    const item = await client.payoutItems.get(id ?? '', { signal: lookLimit() });
    contradiction ??= await takeShownItems(db, payoutId, [item]);
  }
  return withContradiction(await withTotals(reading, await readBatch(reading)), contradiction);
}

async function readPages(reading: Reading): Promise<PayoutFacts> {
  const { work, client, input, batchId } = reading;
  const { db } = work.context;
  const { payoutId } = input.identity;
  const until = Date.now() + readingMs;
  let page = input.state.nextPage ?? 1;
  let contradiction: string | undefined;
  for (;;) {
    const search = { page, pageSize: itemsPerPage };
    const shown = await wholePage(input, page, () =>
      client.payouts.getPage(batchId, search, { signal: lookLimit() }),
    );
    contradiction ??= await takeShownItems(db, payoutId, shown.items);
    const facts = withContradiction(factsOf(shown.batch, input), contradiction);
    if (shown.nextPage === undefined) return await withTotals(reading, facts);
    page = shown.nextPage;
    if (Date.now() >= until) return { ...facts, nextPage: page };
  }
}

/**
 * A page that is cut short may lack the item that has changed after its end, and no later read shows it. Where two answers
 * lack the same, the provider has shown all that it shows: the pages are smaller than asked for, or an item has no status.
 *
 * @throws {UnreadableAnswerError} if two answers lack an item, and not the same.
 */
async function wholePage(
  { state }: PayoutStepInput,
  page: number,
  read: () => Promise<PayoutPage>,
): Promise<PayoutPage> {
  const expected = Math.min(itemsPerPage, state.order.items - (page - 1) * itemsPerPage);
  const isCut = (shown: PayoutPage) => state.isConfirming === true && idsIn(shown).size < expected;
  return await confirmedRead(read, isCut, idsIn);
}

function idsIn({ items }: PayoutPage): ReadonlySet<string> {
  return new Set(items.flatMap(shownItem).map(({ itemId }) => itemId));
}

/**
 * When every item has ended, the batch ends with the status that the provider shows. If that status still says "not
 * processed", or is unknown, it contradicts the items and the end status is not known yet. The items are in their rows,
 * and the batch is polled further like one that is being processed.
 */
async function withTotals({ work, input }: Reading, facts: PayoutFacts): Promise<PayoutFacts> {
  const totals = await totalItems(work.context.db, input.identity.payoutId);
  const isAtItsEnd = countOpen(totals) === 0 && !isTerminal(input.state.status);
  return isAtItsEnd && !isProcessed(facts) ? facts : { ...facts, totals };
}

function factsOf(
  { status, senderBatchId }: PayoutBatch,
  { identity: { payoutId } }: PayoutStepInput,
): PayoutFacts {
  const facts = { batchStatus: /^[A-Z_]{1,32}$/.test(status) ? status : '' };
  if (senderBatchId === undefined || senderBatchId === payoutId) return facts;
  return { ...facts, contradiction: 'The provider shows the batch under another reference.' };
}

function withContradiction(facts: PayoutFacts, contradiction: string | undefined): PayoutFacts {
  return contradiction === undefined ? facts : { ...facts, contradiction };
}

/** The items are in their rows; thousands of them must not fill the call history. */
function withoutItems(call: NewApiCall): NewApiCall {
  const { response } = call;
  if (typeof response !== 'object' || response === null || !('items' in response)) return call;
  return { ...call, response: { ...response, items: '[in their rows]' } };
}
