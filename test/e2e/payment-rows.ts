import type { Engine } from '../helpers/engine.js';

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
