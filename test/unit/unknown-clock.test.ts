import { expect, it } from 'vitest';
import type { ClockOffsets, PaymentsClient } from '#payments-client';
import { findPaymentByReference } from '#worker/provider/find-payment.js';

const hour = 3_600_000;
const sought = { custom: 'pay_1', references: [], amount: { minor: 1_000, currency: 'USD' } };
const same: ClockOffsets = { least: 0, most: 0 };
const hoursAhead: ClockOffsets = { least: 0, most: 5 * hour };
const hoursBehind: ClockOffsets = { least: -5 * hour, most: 0 };
const unknown: ClockOffsets = { ...same, isUnknown: true };

/** What a search that finds nothing proves. */
async function searched(before: ClockOffsets, after: ClockOffsets) {
  const client = { clockOffsets: before, payments: { list } };
  async function list() {
    client.clockOffsets = after;
    return { payments: [], nextId: undefined };
  }
  const time = { since: new Date(0), until: new Date(1) };
  return await findPaymentByReference(client as unknown as PaymentsClient, sought, time);
}

it.each([
  ['known before', same, same, 'absent'],
  ['first shown by its own answer, as ours', unknown, same, 'absent'],
  ['first shown by its own answer, as hours ahead', unknown, hoursAhead, 'unreadable'],
  ['first shown by its own answer, as hours behind', unknown, hoursBehind, 'unreadable'],
  ['known as hours ahead before', hoursAhead, hoursAhead, 'absent'],
  ['known as hours behind before', hoursBehind, hoursBehind, 'absent'],
  ['shown by no answer', unknown, unknown, 'unreadable'],
])(
  'a search by time of a provider whose clock is %s proves absence only if it covers that clock',
  async (_, before, after, result) => {
    expect(await searched(before, after)).toBe(result);
  },
);
