import type { NewApiCall } from '#database/calls';
import { listOpenItems, totalItems } from '#database/subjects';
import type { PaymentsClient, PayoutBatch } from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import {
  itemsPerPage,
  hasBeenGoneThrough,
  type ObserveEffect,
  type PayoutEvent,
  type PayoutFacts,
  isTerminal,
  countOpen,
} from '#workflows/lifecycle/payout';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { recordEvent, recordStanding } from '../steps/record-event.js';
import type { PayoutWork } from './payout-books.js';
import { takeShownItems } from './payout-facts.js';

/** Pages are asked for until here, and one more call may take its own limit: far within the limit of an activity. */
const readingMs = 18_000;

interface Reading {
  readonly work: PayoutWork;
  readonly client: PaymentsClient;
  readonly input: PayoutStepInput;
  readonly batchId: string;
}

/**
 * Reads the batch: a webhook is a hint, this is the truth. Once it has been gone through, what is shown of its items is
 * written to their rows page by page, so neither the history nor what the run knows grows with them.
 */
export async function observePayout(
  work: PayoutWork,
  input: PayoutStepInput,
  items: ObserveEffect['items'],
): Promise<PayoutStepOutcome> {
  // Before the first page: an event that comes from now on may tell of a page that has been read.
  if (items === 'all') await recordStanding(work, input);
  const { result: event, calls } = await work.context.providers.recording(() => read(work, input, items));
  return await recordEvent(work, input, event, calls.map(withoutItems));
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
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

async function readBatch({ client, input, batchId }: Reading): Promise<PayoutFacts> {
  return factsOf(await client.payouts.get(batchId, { signal: lookLimit() }), input);
}

/**
 * The few that are still open of many, one by one.
 *
 * @returns undefined where the pages cost less, or an item is not known to the provider yet.
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
    const shown = await client.payouts.getPage(
      batchId,
      { page, pageSize: itemsPerPage },
      { signal: lookLimit() },
    );
    contradiction ??= await takeShownItems(db, payoutId, shown.items);
    const facts = withContradiction(factsOf(shown.batch, input), contradiction);
    if (shown.nextPage === undefined) return await withTotals(reading, facts);
    page = shown.nextPage;
    if (Date.now() >= until) return { ...facts, nextPage: page };
  }
}

/**
 * Every item at its end ends the batch for good, as what the provider calls it. One that is not called gone through by
 * then, by a word of before or one that nobody knows, contradicts itself: as what it ends is not known yet. The items are
 * in their rows, and the batch is polled on like one that is still being processed.
 */
async function withTotals({ work, input }: Reading, facts: PayoutFacts): Promise<PayoutFacts> {
  const totals = await totalItems(work.context.db, input.identity.payoutId);
  const isAtItsEnd = countOpen(totals) === 0 && !isTerminal(input.state.status);
  return isAtItsEnd && !hasBeenGoneThrough(facts) ? facts : { ...facts, totals };
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

/** They are in their rows: a reading of thousands must not fill the history of calls with them. */
function withoutItems(call: NewApiCall): NewApiCall {
  const { response } = call;
  if (typeof response !== 'object' || response === null || !('items' in response)) return call;
  return { ...call, response: { ...response, items: '[in their rows]' } };
}
