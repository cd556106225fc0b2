import { describe, expect, it } from 'vitest';
import {
  VersionMismatchError,
  acceptAtVersion,
  acceptCommand,
  acceptPayment,
  findCommand,
  findExisting,
  refuseCommand,
  policyKeyPrefix,
} from '#database/commands';
import { findPayment, findPaymentWithCommand } from '#database/subjects';
import { writeTransition } from '#database/transitions';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  atOnce,
  captureCommand,
  newId,
  newIdentity,
  newPayment,
  useEngineDatabase,
  orderCommand,
  owner,
  storePayment,
  transition,
} from './engine-database.js';

const engine = useEngineDatabase();

describe('orders under one idempotency key', () => {
  it('make one command and one payment when 20 come at once, and all get the same answer', async () => {
    const { db } = engine;
    const [idempotencyKey, orderId] = [newId('key'), newId('order')];
    const accepted = await atOnce(20, () =>
      acceptPayment(db, orderCommand(newIdentity(), { idempotencyKey }), newPayment(orderId)),
    );

    expect(accepted.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(accepted.map(({ row }) => row.id)).size).toBe(1);
    const payments = await db.selectFrom('payments').select('id').where('order_id', '=', orderId).execute();
    expect(payments).toEqual([{ id: accepted[0]?.row.subject_id }]);
    const commands = await db
      .selectFrom('commands')
      .select('id')
      .where('idempotency_key', '=', idempotencyKey)
      .execute();
    expect(commands).toHaveLength(1);
  });

  it('return the hash of the first body, so that another body is recognized', async () => {
    const { db } = engine;
    const first = orderCommand(newIdentity());
    await acceptPayment(db, first, newPayment());
    const other = orderCommand(newIdentity(), {
      idempotencyKey: first.idempotencyKey,
      bodyHash: 'another-hash',
    });
    const { row, isNew } = await acceptPayment(db, other, newPayment());
    expect({ isNew, hash: row.body_hash, paymentId: row.subject_id }).toEqual({
      isNew: false,
      hash: first.bodyHash,
      paymentId: first.subjectId,
    });
  });

  it('are separate for each application and environment', async () => {
    const { db } = engine;
    const first = orderCommand(newIdentity());
    await acceptPayment(db, first, newPayment());
    for (const elsewhere of [{ application: 'another' }, { environment: 'live' }]) {
      const same = orderCommand(newIdentity(), { idempotencyKey: first.idempotencyKey, ...elsewhere });
      expect((await acceptPayment(db, same, newPayment())).isNew).toBe(true);
    }
  });
});

describe('a command', () => {
  it('is one row when it comes 20 times at once under its key', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const idempotencyKey = newId('key');
    const accepted = await atOnce(20, () => acceptCommand(db, captureCommand(identity, { idempotencyKey })));
    expect(accepted.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(accepted.map(({ row }) => row.id)).size).toBe(1);
    expect((await findExisting(db, { ...owner, idempotencyKey }))?.id).toBe(accepted[0]?.row.id);
  });

  it('is two rows under two keys, even if it is equal', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const [one, other] = await atOnce(2, () => acceptCommand(db, captureCommand(identity)));
    expect(one?.row.id).not.toBe(other?.row.id);
    expect([one?.isNew, other?.isNew]).toEqual([true, true]);
  });

  it('is refused only while no run has taken it', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const [fresh, taken] = [captureCommand(identity), captureCommand(identity)];
    await acceptCommand(db, fresh);
    await acceptCommand(db, taken);
    await writeTransition(db, {
      ...transition(identity, payment('capturing'), 1),
      commands: [{ commandId: taken.id, kind: 'capture', status: 'executing' }],
    });
    const result = { code: 'not_allowed_in_state', reason: 'late' };
    for (const { id } of [fresh, taken]) await refuseCommand(db, id, result);
    expect(await findCommand(db, fresh.id)).toMatchObject({ status: 'refused', result });
    expect(await findCommand(db, taken.id)).toMatchObject({ status: 'executing', result: null });
  });

  it('keeps its final outcome, whatever is written late', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const command = captureCommand(identity);
    await acceptCommand(db, command);
    const written = (status: 'succeeded' | 'executing' | 'failed') =>
      writeTransition(db, {
        ...transition(identity, payment('captured'), 2),
        knownStatus: 'captured',
        commands: [{ commandId: command.id, kind: 'capture', status, result: { captureId: status } }],
      });
    for (const status of ['executing', 'succeeded', 'executing', 'failed'] as const) await written(status);
    expect(await findCommand(db, command.id)).toMatchObject({
      status: 'succeeded',
      result: { captureId: 'succeeded' },
    });
  });

  it('of a policy has its own row, under a key that no request can have', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const commandId = `${identity.paymentId}:expiry-policy`;
    await writeTransition(db, {
      ...transition(identity, payment('voiding'), 3),
      commands: [{ commandId, kind: 'void', status: 'executing' }],
    });
    expect(await findCommand(db, commandId)).toMatchObject({
      kind: 'void',
      status: 'executing',
      requested_by: 'policy',
      idempotency_key: `${policyKeyPrefix}${commandId}`,
    });
  });
});

it('finds a payment only for its owner', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  expect((await findPayment(db, identity))?.status).toBe('creating');
  expect(await findPayment(db, { ...identity, application: 'another' })).toBeUndefined();
  expect(await findPayment(db, { ...identity, environment: 'live' })).toBeUndefined();
});

describe('a payment and one of its commands', () => {
  it('are read at once as each of them is read alone', async () => {
    const { db } = engine;
    const identity = await storePayment(db);
    const { row } = await acceptCommand(db, captureCommand(identity));
    expect(await findPaymentWithCommand(db, identity, row.id)).toEqual({
      payment: await findPayment(db, identity),
      command: row,
    });
  });

  it('are not found by the command of another payment, nor by another application', async () => {
    const { db } = engine;
    const [identity, other] = [await storePayment(db), await storePayment(db)];
    const { row } = await acceptCommand(db, captureCommand(identity));
    expect(await findPaymentWithCommand(db, other, row.id)).toBeUndefined();
    expect(await findPaymentWithCommand(db, { ...identity, application: 'another' }, row.id)).toBeUndefined();
  });
});

it('a command that names the version its caller has seen is accepted once those before it have ended', async () => {
  const { db } = engine;
  const identity = await storePayment(db);
  const ask = async () => await acceptAtVersion(db, captureCommand(identity), undefined, [0]);
  const first = await ask();
  await expect(ask()).rejects.toBeInstanceOf(VersionMismatchError);
  await refuseCommand(db, first.row.id, { code: 'not_allowed_in_state', reason: 'No.' });
  expect((await ask()).isNew).toBe(true);
});
