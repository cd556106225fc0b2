import { describe, expect, it } from 'vitest';
import { bodyHash, longBodyHash } from '#api/commands/idempotency.js';
import { payoutRequest } from '#api/payouts/payout-requests.js';
import { cardNumbersIn } from '#api/requests/card-number-fields.js';
import { validationOf } from '#api/wire/long-lists.js';

const batchOf = (count: number, changes: Readonly<Record<number, object>> = {}) => ({
  reference: 'shares-2030-01',
  items: Array.from({ length: count }, (_, index) => ({
    itemId: `item-${index}`,
    receiver: { type: 'EMAIL', value: `receiver-${index}@example.com` },
    amount: { value: '1.00', currency: 'USD' },
    ...changes[index],
  })),
});

/** In slices, and as zod reads it whole. */
async function readTwice(input: unknown): Promise<[unknown, unknown]> {
  return [
    reported(await validationOf(payoutRequest)(input)),
    reported(await payoutRequest['~standard'].validate(input)),
  ];
}

/** Where it is wrong, or what was read. */
function reported(result: { issues?: readonly object[] | undefined }): unknown {
  return result.issues?.map((issue) => ('path' in issue ? issue.path : undefined)) ?? result;
}

describe('a long list is processed in slices with the same result as in one piece', () => {
  it.each([
    ['a batch', batchOf(1_000)],
    ['an item that is wrong', batchOf(1_000, { 777: { amount: { value: 'x', currency: 'USD' } } })],
    ['an id in two slices', batchOf(1_000, { 900: { itemId: 'item-3' } })],
    ['another currency', batchOf(1_000, { 400: { amount: { value: '1.00', currency: 'EUR' } } })],
    ['a field beside it that is wrong', { ...batchOf(600), emailSubject: 7 }],
    ['a field that nobody knows', { ...batchOf(600), extra: 1 }],
    ['more than it may hold', batchOf(10_001)],
    ['no list', { items: 'none' }],
    ['no document', undefined],
  ])('%s', async (_what, input) => {
    const [inSlices, whole] = await readTwice(input);
    expect(inSlices).toEqual(whole);
  });

  it('as far as its hash', async () => {
    for (const body of [batchOf(10), batchOf(1_000), {}, { items: [] }, { a: undefined, b: batchOf(300) }]) {
      expect(await longBodyHash(body)).toBe(bodyHash(body));
    }
  });

  it('and a card number in it is found by its place', async () => {
    const note = 'card 4111 1111 1111 1111';
    expect(await cardNumbersIn(batchOf(1_000, { 612: { note } }))).toEqual([['items', '612', 'note']]);
  });
});

/** How often others had their turn while this was done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

it.each<[string, (batch: object & Record<string, unknown>) => Promise<unknown>]>([
  ['validated', async (batch) => validationOf(payoutRequest)(batch)],
  ['searched for card numbers', cardNumbersIn],
  ['hashed', longBodyHash],
])('others get their turn while a batch of 10,000 items is %s', async (_what, work) => {
  expect(await turnsDuring(() => work(batchOf(10_000)))).toBeGreaterThan(30);
});

it('others get their turn more often while long texts of digits are searched for card numbers', async () => {
  const note = '4 '.repeat(500).trim();
  const items = batchOf(3_000).items.map((item) => ({ ...item, note }));
  expect(await turnsDuring(() => cardNumbersIn({ items }))).toBeGreaterThan(30);
});
