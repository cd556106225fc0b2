import { createHash } from 'node:crypto';
import { afterEach, expect, it, vi } from 'vitest';
import { openDatabase, poolOf } from '#database/connection/database.js';
import type { Runs } from '#runs';
import { EventDispatch } from '#webhook-inbox';
import type { RunMessage, Subject } from '#workflows/contract';
import { MessageInbox } from '#workflows/run/message-inbox.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { payment } from '../lifecycle/payment/sample-payments.js';

afterEach(() => vi.restoreAllMocks());

/** As command-sender.ts makes it. */
const commandIdOf = (environment: string, application: string, key: string): string =>
  `cmd_${createHash('sha256')
    .update(JSON.stringify([environment, application, key]))
    .digest('hex')
    .slice(0, 32)}`;

/** A database in which one event is received, about one subject. */
function databaseWith(event: object, subject: { readonly id: string; readonly state: object }) {
  const db = openDatabase('postgres://nobody@127.0.0.1:1/none');
  const row = { id: 1, environment: 'sandbox', application: 'shop', dispatches: 1, contradictions: 0 };
  const rows: Readonly<Record<string, unknown>> = {
    'lease-events': [{ ...row, first_content: null, ...event }],
    'subjects-of-events': [{ place: 0, ...subject }],
    'mark-events': [{ id: 1 }],
  };
  vi.spyOn(poolOf(db), 'query').mockImplementation((async ({ name }: { name: string }) => ({
    rows: rows[name] ?? [],
  })) as never);
  return db;
}

/** The inbox of a run, and Temporal, which brings it all messages. */
function oneRun() {
  const inbox = new MessageInbox<RunMessage>();
  const signal = async (_subject: Subject, message: RunMessage) => {
    inbox.receive(message);
    return true;
  };
  return { inbox, runs: { signal } as unknown as Runs };
}

it('a delivered event whose id is that of a request does not silence the request', async () => {
  // Keys of orders can be guessed, and the id of an event is the sender's: 0019 lets a forged one cost a read, no more.
  const id = commandIdOf('sandbox', 'shop', 'capture-of-order-1001');
  const { inbox, runs } = oneRun();
  const event = {
    event_id: id,
    event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
    resource: { kind: 'authorization', id: 'AUTH-OF-ANOTHER', state: 'voided' },
    resource_ids: ['PAY'],
  };
  await new EventDispatch(databaseWith(event, { id: 'pay_1', state: payment('authorized') }), runs).dispatch(
    1,
  );
  inbox.receive({ id, event: { type: 'captureRequested', commandId: id } } as RunMessage);
  expect(inbox.next()).toMatchObject({ event: { type: 'providerNotified' } });
  expect(inbox.next()).toMatchObject({ event: { type: 'captureRequested', commandId: id } });
});

it('the whole of an event reaches its run after a delivery of it that lacked the resource', async () => {
  const { inbox, runs } = oneRun();
  const subject = { id: 'sub_1', state: subscription('active') };
  const event = { event_id: 'WH-1', event_type: 'PAYMENT.SALE.REVERSED', resource_ids: ['I-1'] };
  // The resource's type was missing, so the run reads the agreement only (delivery-journal: `isWhole`).
  const cut = { ...event, resource: { kind: 'other', id: '', state: 'refunded' } };
  await new EventDispatch(databaseWith(cut, subject), runs).dispatch(1);
  vi.restoreAllMocks();
  const whole = { ...event, resource: { kind: 'sale', id: 'S-1', state: 'refunded' }, dispatches: 2 };
  await new EventDispatch(databaseWith(whole, subject), runs).dispatch(1);
  expect(inbox.next()).toMatchObject({ event: { type: 'providerNotified' } });
  expect(inbox.next()).toMatchObject({ event: { type: 'providerNotified', isAboutPayment: true } });
});

const forgedOrShown = {
  event_id: 'WH-1',
  event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
  resource: { kind: 'authorization', id: 'AUTH-1', state: 'voided' },
  resource_ids: ['PAY-1'],
};

it('what the provider shows in place of a delivered content reaches its run', async () => {
  const { inbox, runs } = oneRun();
  const subject = { id: 'pay_1', state: payment('authorized') };
  await new EventDispatch(databaseWith(forgedOrShown, subject), runs).dispatch(1);
  vi.restoreAllMocks();
  const shown = { ...forgedOrShown, contradictions: 1, dispatches: 2 };
  await new EventDispatch(databaseWith(shown, subject), runs).dispatch(1);
  expect(inbox.size).toBe(2);
});

it('each content of a contested event makes its run read', async () => {
  const { inbox, runs } = oneRun();
  const subject = { id: 'pay_1', state: payment('authorized') };
  const dispatch = new EventDispatch(databaseWith(forgedOrShown, subject), runs);
  const event = {
    ...forgedOrShown,
    environment: 'sandbox',
    application: 'shop',
    contradictions: 1,
    dispatches: 2,
  };
  for (const place of [0, 1]) await dispatch.hint(event as never, place);
  expect(inbox.size).toBe(2);
});
