import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptCommand, findExisting } from '../../libs/database/src/commands.js';
import { lockPaymentOf } from '../../libs/database/src/event-lease.js';
import { writeTransition } from '../../libs/database/src/transitions.js';
import { payment } from '../lifecycle/sample-payments.js';
import {
  type EngineDatabase,
  captureCommand,
  newIdentity,
  openEngineDatabase,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => {
  await engine.close();
});

describe('a key that two applications use', () => {
  it.each([
    ['application', { application: 'bookshop' }],
    ['environment', { environment: 'live' }],
  ])(
    'is answered with the command of each one’s own, also when it is repeated: another %s',
    async (what, other) => {
      const key = { idempotencyKey: `key-${what}` };
      const [mine, theirs] = [
        captureCommand(await storePayment(engine.db), key),
        { ...captureCommand(await storePayment(engine.db), key), ...other },
      ];
      await acceptCommand(engine.db, mine);
      await acceptCommand(engine.db, theirs);
      for (const command of [mine, theirs]) {
        expect(await acceptCommand(engine.db, command)).toMatchObject({
          isNew: false,
          row: { id: command.id },
        });
        expect(await findExisting(engine.db, command)).toMatchObject({ id: command.id });
      }
    },
  );
});

describe('an event that names one resource only', () => {
  it.each(['PAY-', 'AUTH-', 'CAP-1-'])('finds its payment by a resource of each kind: %s', async (kind) => {
    const identity = await storePayment(engine.db, newIdentity());
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('captured'), identity), 1));
    const about = { ...owner, resource_ids: [`${kind}${identity.paymentId}`] };
    const found = await engine.db.transaction().execute(async (trx) => await lockPaymentOf(trx, about));
    expect(found?.id).toBe(identity.paymentId);
    const elsewhere = { ...about, application: 'bookshop' };
    expect(await lockPaymentOf(engine.db, elsewhere)).toBeUndefined();
  });
});
