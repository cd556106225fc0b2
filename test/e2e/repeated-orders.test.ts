import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(startEngine);

async function held(): Promise<string> {
  const { body } = await engine.orders.order();
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow();
  await engine.orders.comeBack(await engine.sandbox.approve(state.providerPaymentId ?? ''));
  await engine.orders.reaches(body.id, 'authorized');
  return body.id;
}

async function commandsOf(paymentId: string) {
  return await engine.db
    .selectFrom('commands')
    .select(['kind', 'status', 'requested_by'])
    .where('subject_id', '=', paymentId)
    .orderBy('created_at')
    .execute();
}

describe('case 27: an operator who asks twice', () => {
  it('by a double click captures once, and both clicks get the same answer', async () => {
    const id = await held();
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 5 }, () => engine.orders.capture(id, {}, key)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.capture.id)).size).toBe(1);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
    expect(await commandsOf(id)).toMatchObject([
      { kind: 'create' },
      { kind: 'capture', status: 'succeeded', requested_by: 'api-key:shop' },
    ]);
  });

  it('under two keys captures once, too, and every other request is refused and recorded', async () => {
    const id = await held();
    const answers = await Promise.all(Array.from({ length: 5 }, () => engine.orders.capture(id)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
    const captures = (await commandsOf(id)).filter(({ kind }) => kind === 'capture');
    expect(captures.filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(captures.every(({ status }) => status === 'succeeded' || status === 'refused')).toBe(true);
  });

  it('who sends all events of a payment again, five times at once, changes nothing, and each request is counted', async () => {
    const id = await held();
    await engine.orders.capture(id);
    const events = await until(
      () => eventsOf(id),
      (rows) =>
        eventTypes.every((type) => rows.some(({ event_type }) => event_type === type)) &&
        rows.every(({ status }) => status === 'applied'),
      'every event of the payment to be applied',
    );
    const before = await recordOf(id);
    const fiveTimesEach = events.flatMap(({ event_id }) => Array.from({ length: 5 }, () => event_id));
    await Promise.all(fiveTimesEach.map((eventId) => engine.sandbox.resendEvent(eventId)));
    const after = await until(
      () => eventsOf(id),
      (rows) =>
        events.every(({ event_id, deliveries }) =>
          rows.some((row) => row.event_id === event_id && row.deliveries >= deliveries + 5),
        ),
      'every event to be delivered five times more',
    );
    expect(after.map(({ status }) => status)).toEqual(events.map(() => 'applied'));
    expect(await recordOf(id)).toEqual(before);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });
});

/** What the provider reports of a payment that is approved, held and captured, in whatever order it arrives. */
const eventTypes = ['PAYMENTS.PAYMENT.CREATED', 'PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.CAPTURE.COMPLETED'];

async function eventsOf(paymentId: string) {
  return await engine.db
    .selectFrom('webhook_events')
    .select(['event_id', 'event_type', 'status', 'deliveries'])
    .where('subject_id', '=', paymentId)
    .orderBy('id')
    .execute();
}

/** What the payment is, how it came there, and what was done to it at the provider. */
async function recordOf(paymentId: string) {
  const { db } = engine;
  const [payment, timeline, attempts] = await Promise.all([
    db.selectFrom('payments').select(['state', 'version']).where('id', '=', paymentId).execute(),
    db.selectFrom('timeline').select(['version', 'event']).where('subject_id', '=', paymentId).execute(),
    db.selectFrom('attempts').select(['request_id', 'outcome']).where('subject_id', '=', paymentId).execute(),
  ]);
  return { payment, timeline, attempts };
}
