import { afterEach, expect, it, vi } from 'vitest';
import type { ChangeWaits } from '#api/commands/wait-for-change.js';
import type { ApiConfig } from '#api/injected/api-config.js';
import { PayerReturn } from '#api/payments/payer-return.js';
import { newTimedId } from '#api/wire/ids.js';
import { openDatabase, poolOf } from '#database/connection/database.js';
import type { Runs } from '#runs';
import { type RunMessage, type Subject, prefixOf } from '#workflows/contract';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import { inDoubt, payment } from '../lifecycle/payment/sample-payments.js';

afterEach(() => vi.restoreAllMocks());

const id = newTimedId(prefixOf('payment'), Date.now());

/** The payer's two addresses of a payment in some state, and what its run is told. */
function payerOf(status: PaymentStatus, known: Partial<PaymentState> = {}) {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const state = { ...payment(status), approvalToken: 'EC-1', ...known };
  const addresses = { return_url: 'https://shop.example/thanks', cancel_url: 'https://shop.example/cart' };
  const row = { id, environment: 'sandbox', application: 'shop', version: 2, status, state, ...addresses };
  const query = async () => ({ rows: [row] });
  const pool = poolOf(db) as unknown as { query: typeof query; connect(): Promise<unknown> };
  vi.spyOn(pool, 'query').mockImplementation(query);
  vi.spyOn(pool, 'connect').mockResolvedValue({ query, release: () => undefined });
  const told: string[] = [];
  const signal = async (_subject: Subject, { event }: RunMessage) => {
    told.push(event.type);
    return true;
  };
  const after = async (tell: () => Promise<boolean>) => {
    await tell();
    return row;
  };
  const payer = new PayerReturn(
    db,
    { signal } as unknown as Runs,
    { after } as unknown as ChangeWaits,
    { payerWaitMs: 0 } as ApiConfig,
  );
  return { payer, told };
}

it.each([
  ['awaiting_approval', ['payerApproved', 'payerCancelled']],
  // A webhook has told of the approval before the payer was back: the usual course.
  ['authorizing', ['payerCancelled']],
  ['executing', ['payerCancelled']],
  ['captured', []],
  // Under review is its capture.
  ['needs_review', []],
] as const)('a run of a payment that is %s is told only what it can act on', async (status, expected) => {
  const { payer, told } = payerOf(status);
  const { providerPaymentId: paymentId = '' } = payment(status);
  await payer.approved(id, { paymentId, token: 'EC-1', PayerID: 'P-1' });
  await payer.cancelled(id, { token: 'EC-1' });
  expect(told).toEqual(expected);
});

it('a run that keeps a cancellation is told that its payer has come back to approve', async () => {
  const { payer, told } = payerOf('authorizing', { isCancelWaiting: true });
  const { providerPaymentId: paymentId = '' } = payment('authorizing');
  await payer.approved(id, { paymentId, token: 'EC-1', PayerID: 'P-1' });
  expect(told).toEqual(['payerApproved']);
});

it('a run whose execution is under review is told that its payer cancels, and then that they approve', async () => {
  const { openStep } = inDoubt(payment('authorizing'));
  const { payer, told } = payerOf('needs_review', { openStep: openStep! });
  const { providerPaymentId: paymentId = '' } = payment('authorizing');
  await payer.approved(id, { paymentId, token: 'EC-1', PayerID: 'P-1' });
  await payer.cancelled(id, { token: 'EC-1' });
  expect(told).toEqual(['payerCancelled']);
  const back = payerOf('needs_review', { openStep: openStep!, isCancelWaiting: true });
  await back.payer.approved(id, { paymentId, token: 'EC-1', PayerID: 'P-1' });
  expect(back.told).toEqual(['payerApproved']);
});
