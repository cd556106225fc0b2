import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CommandSender } from '#api/commands/command-sender.js';
import type { Starting } from '#api/commands/starting.js';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import { PayoutCommands } from '#api/payouts/payout-commands.js';
import { Problem } from '#api/problems/problem.js';
import { RequestRefund } from '#api/refunds/request-refund.js';
import { PaymentRows } from '#api/rows/payment-rows.js';
import { PayoutRows } from '#api/rows/payout-rows.js';
import { RefundRows } from '#api/rows/refund-rows.js';
import { ChangeListener } from '#database/connection';
import type { CommandStatus } from '#database/schema/schema.js';
import type { Runs } from '#runs';
import { forAllTests } from '../helpers/shared.js';
import { writeAfterRead } from '../helpers/write-after-read.js';
import { payout } from '../lifecycle/payout/sample-payouts.js';
import { ApiFixture, authorizedState, configuration } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const caller = { environment: 'sandbox', application: 'shop', keyId: 'shop' };
const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
/** Every run takes every message, and none is started. */
const runs = { signal: async () => await Promise.resolve(true) } as unknown as Runs;
const starting = {} as Starting;

function sender(): CommandSender {
  return new CommandSender(api.db, runs, changes, { ...configuration(api.databaseUrl), answerWithinMs: 1 });
}

it('the cancellation of an item that gets its id in between is refused, and nothing is sent without the id', async () => {
  const items = [
    {
      itemId: 'anna-1',
      receiver: { type: 'EMAIL', value: 'anna@example.com' },
      amount: { value: '7.50', currency: 'USD' },
    },
  ];
  const { body } = await api.call('POST', '/v1/payouts', { body: { items }, idempotencyKey: randomUUID() });
  const id = String(body['id']);
  const state = JSON.stringify({ ...payout('settling'), payoutId: id });
  await api.db.updateTable('payouts').set({ status: 'settling', state }).where('id', '=', id).execute();
  // After the payout and its item were read for the first time.
  const db = writeAfterRead(api.db, 2, async () =>
    api.db
      .updateTable('payout_items')
      .set({ status: 'unclaimed', provider_item_id: 'ITEM-1' })
      .where('payout_id', '=', id)
      .execute(),
  );
  const cancelling = new PayoutCommands(sender(), new PayoutRows(db, changes)).cancelItem(
    caller,
    randomUUID(),
    id,
    'anna-1',
  );
  await expect(cancelling).rejects.toThrow(Problem);
  const commands = await api.db.selectFrom('commands').selectAll().where('subject_id', '=', id).execute();
  expect(commands.map(({ kind, status }) => [kind, status])).toEqual([
    ['create', 'accepted'],
    ['cancelItem', 'refused'],
  ]);
});

it('a refused refund names the status by which it was refused', async () => {
  const id = await api.paymentWith(authorizedState());
  const db = writeAfterRead(api.db, 1, async () => api.moveTo(id, { status: 'voided', released: true }));
  const refunds = new RequestRefund(
    api.db,
    starting,
    new PaymentRows(db, changes),
    new RefundRows(api.db, changes),
    configuration(api.databaseUrl),
  );
  await expect(refunds.request(caller, id, randomUUID(), {})).rejects.toMatchObject({
    extensions: { currentState: 'voided' },
  });
});

describe('while the database is away, a repeated request', () => {
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' });

  /** The row as it was before the command was carried out, then nothing. */
  async function repeated(status: CommandStatus) {
    const id = await api.paymentWith(authorizedState());
    const [idempotencyKey, reads] = [randomUUID(), { count: 0 }];
    await api.call('POST', `/v1/payments/${id}/captures`, { body: {}, idempotencyKey });
    const command = await api.db
      .updateTable('commands')
      .set({ status })
      .where('idempotency_key', '=', idempotencyKey)
      .returningAll()
      .executeTakeFirstOrThrow();
    const rows = new PaymentRows(api.db, changes);
    return await sender().send(
      caller,
      {
        kind: 'capture',
        subjectId: id,
        idempotencyKey,
        bodyHash: command.body_hash,
        parameters: {},
        event: () => ({ type: 'captureRequested' }),
      },
      {
        read: async () => {
          reads.count += 1;
          if (reads.count > 1) throw away;
          return await rows.get(caller, id);
        },
        refusalOf: () => undefined,
        hasEnded: () => false,
        problemOf: (_row, kind) => new Problem('conflict', { detail: kind }),
      },
    );
  }

  it.each(['succeeded', 'failed'] as const)('that has %s is not answered by an older row', async (status) => {
    await expect(repeated(status)).rejects.toBe(away);
  });

  it('that was refused is refused, and one that is under way is under way', async () => {
    await expect(repeated('refused')).rejects.toMatchObject({ detail: 'refused' });
    expect(await repeated('executing')).toMatchObject({ command: { status: 'executing' } });
  });
});
