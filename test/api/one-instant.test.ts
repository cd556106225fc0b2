import { describe, expect, it } from 'vitest';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import { ReconciliationController } from '#api/reconciliation/reconciliation.controller.js';
import { Evidence } from '#api/reviews/evidence.js';
import { SubscriptionRows } from '#api/rows/subscription-rows.js';
import { WebhookDispatcher } from '#api/webhooks/webhook-dispatcher.js';
import { WebhookEventsController } from '#api/webhooks/webhook-events.controller.js';
import { newId } from '#api/wire/ids.js';
import { ChangeListener } from '#database/connection';
import { resendWebhookEvent } from '#database/events';
import { noteReconciled, openReconciliation, recordComparison } from '#database/reconciliation';
import { beginAttempt, paymentRecords, writeAttemptOutcome } from '#database/transitions';
import { paymentSubject } from '#workflows/contract';
import {
  eventRow,
  newAttempt,
  newIdentity,
  useEngineDatabase,
  owner,
  parkedEvent,
  storePayment,
  transition,
  withOwnIds,
} from '../database/engine-database.js';
import { collectPayments, storeSubscription } from '../database/stored-subscription.js';
import { writeAfterRead } from '../helpers/write-after-read.js';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';

const engine = useEngineDatabase();

const caller = { ...owner, keyId: 'shop' };
const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
const dispatcher = {} as WebhookDispatcher;

/** The answer when something is written after the reader's first, second … statement. */
const places = [1, 2, 3];

describe('what an answer joins fits, although it is written between its statements:', () => {
  it.each(places)('payments of a subscription and their sum (%i)', async (nth) => {
    const id = newId('subscription', Date.now());
    const identity = await storeSubscription(engine.db, subscription('active'), id);
    const db = writeAfterRead(engine.db, nth, async () =>
      collectPayments(engine.db, identity, [`SALE-${id}`, '2030-01-01T00:00:00Z']),
    );
    const { payments, collected } = await new SubscriptionRows(db, changes).payments(owner, id, {
      limit: 20,
    });
    expect(collected).toBe(payments.rows.length * 500);
  });

  it.each([...places, 4])('the step under review and its attempts (%i)', async (nth) => {
    const identity = await storePayment(engine.db);
    const attempt = newAttempt();
    const id = await beginAttempt(
      engine.db,
      transition(identity, withOwnIds(payment('capturing'), identity), 1),
      attempt,
    );
    const db = writeAfterRead(engine.db, nth, async () =>
      writeAttemptOutcome(
        engine.db,
        transition(identity, withOwnIds(payment('partially_captured'), identity), 2),
        {
          attemptId: Number(id),
          outcome: 'answered',
          event: { type: 'stepDeclined' },
          at: new Date(),
        },
      ),
    );
    const { state, evidence } = await new Evidence(db).of(paymentRecords, paymentSubject(identity));
    expect([state.status, evidence.step === null, evidence.attempts[0]?.outcome]).toBeOneOf([
      ['capturing', false, null],
      ['partially_captured', true, 'answered'],
    ]);
  });

  it.each(places)('the time of a comparison and what it found (%i)', async (nth) => {
    const shop = { ...owner, application: `shop-${nth}` };
    const identity = { ...newIdentity(), ...shop };
    await storePayment(engine.db, identity);
    await openReconciliation(engine.db, shop, 0);
    const db = writeAfterRead(engine.db, nth, async () => {
      await recordComparison(engine.db, {
        subject: paymentSubject(identity),
        comparedWith: 'provider',
        version: 0,
        differences: [{ field: 'status', ours: 'creating', theirs: 'captured' }],
      });
      await noteReconciled(engine.db, shop, { timelineUntil: 0, sampledUntil: null });
    });
    const shown = await new ReconciliationController(db).show({ ...caller, ...shop });
    expect(shown.paymentsComparedAt === null).toBe(shown.openDrift === 0);
  });

  it.each(places)('a webhook event and its resends (%i)', async (nth) => {
    const parked = await parkedEvent(engine.db, newIdentity(), `CAP-of-nobody-${nth}`, 'completed');
    const { event_id } = await eventRow(engine.db, parked);
    const db = writeAfterRead(engine.db, nth, async () =>
      resendWebhookEvent(engine.db, owner, event_id, 'key:shop'),
    );
    const shown = await new WebhookEventsController(db, dispatcher).show(caller, event_id);
    expect([shown.state, shown.resends.length]).toBeOneOf([
      ['parked', 0],
      ['received', 1],
    ]);
  });
});
