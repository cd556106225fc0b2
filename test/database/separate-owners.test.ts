import { describe, expect, it, vi } from 'vitest';
import { acceptCommand, findExisting } from '#database/commands';
import { markWebhookEvent } from '#database/events/event-lease.js';
import { writeTransition } from '#database/transitions';
import { journalWebhookEvent, lockSubjectOf } from '#database/events';
import { payment } from '../lifecycle/payment/sample-payments.js';
import {
  leaseWebhookEvent,
  authorizationEvent,
  captureCommand,
  eventRow,
  leased,
  newIdentity,
  useEngineDatabase,
  owner,
  storePayment,
  transition,
  withOwnIds,
} from './engine-database.js';

const engine = useEngineDatabase();

describe('a key that two applications use', () => {
  it.each([
    ['application', { application: 'bookshop' }],
    ['environment', { environment: 'live' }],
  ])(
    'is answered with each application’s own command, also when it is repeated: another %s',
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

describe('an event that is parked', () => {
  it('is not claimed by a payment of another application that has a resource of the same id', async () => {
    const identity = await storePayment(engine.db, newIdentity());
    const theirs = { ...authorizationEvent(identity), application: 'bookshop' };
    const { id } = await journalWebhookEvent(engine.db, theirs);
    await markWebhookEvent(engine.db, await leased(engine.db, id), 'parked', { dueInMs: 60_000 });
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('authorized'), identity), 1));
    expect(await eventRow(engine.db, id)).toMatchObject({ status: 'parked', subject_id: null });
  });
});

describe('a lease', () => {
  it('that lasts by the database’s clock is not taken by a dispatcher whose clock is an hour fast', async () => {
    const { id } = await journalWebhookEvent(engine.db, authorizationEvent(newIdentity()));
    await leased(engine.db, id, 60_000);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    const taken = await leaseWebhookEvent(engine.db, id, 60_000);
    vi.useRealTimers();
    expect(taken).toBeUndefined();
  });
});

describe('an event that names one resource only', () => {
  it.each(['PAY-', 'AUTH-', 'CAP-1-'])('finds its payment by a resource of each kind: %s', async (kind) => {
    const identity = await storePayment(engine.db, newIdentity());
    await writeTransition(engine.db, transition(identity, withOwnIds(payment('captured'), identity), 1));
    const about = { ...owner, resource_ids: [`${kind}${identity.paymentId}`] };
    const found = await engine.db.transaction().execute(async (trx) => await lockSubjectOf(trx, about));
    expect(found?.id).toBe(identity.paymentId);
    const elsewhere = { ...about, application: 'bookshop' };
    expect(await lockSubjectOf(engine.db, elsewhere)).toBeUndefined();
  });
});
