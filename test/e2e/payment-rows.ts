import type { Engine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';

export async function paymentRow({ db }: Engine, paymentId: string) {
  return await db.selectFrom('payments').selectAll().where('id', '=', paymentId).executeTakeFirstOrThrow();
}

/** The provider's id of a payment. */
export async function providerIdOf(engine: Engine, paymentId: string): Promise<string> {
  const { state } = await paymentRow(engine, paymentId);
  return state.providerPaymentId ?? '';
}

/** The events that the payment's timeline reports. */
export async function timelineOf({ db }: Engine, paymentId: string): Promise<string[]> {
  const entries = await db
    .selectFrom('timeline')
    .select('event')
    .where('subject_id', '=', paymentId)
    .orderBy('version')
    .execute();
  return entries.map(({ event }) => event);
}

/** A payment whose payer has approved and come back. */
export async function authorizedPayment(
  engine: Engine,
  order: Record<string, unknown> = {},
): Promise<PaymentView> {
  const { body } = await engine.orders.order(order);
  await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
  return await engine.orders.reaches(body.id, 'authorized');
}
