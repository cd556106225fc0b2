import type { ChangeAnnouncer, Database } from '#database/connection';
import type { NaiveOrder, RowChange } from './naive-contract.js';

const owner = { environment: 'sandbox', application: 'naive' };

/** The rows that ours writes too, less its attempts and commands: payment, resource, timeline, call. One transaction. */
export async function writeRows(
  db: Database,
  changes: ChangeAnnouncer,
  order: NaiveOrder,
  change: RowChange,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { version } = await upsertPayment(trx, order, change);
    const paymentId = order.paymentId;
    if (change.resource) {
      const { kind, id } = change.resource;
      await trx
        .insertInto('resources')
        .values({ ...owner, resource_id: id, kind, subject_id: paymentId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    await trx
      .insertInto('timeline')
      .values({
        subject_id: paymentId,
        version,
        event: change.event,
        kind: 'moved',
        from_status: '',
        to_status: change.status,
        detail: null,
        command_id: null,
        at: new Date(),
      })
      .execute();
    if (change.call) await insertCall(trx, paymentId, change.call);
  });
  changes.announce(order.paymentId);
}

async function upsertPayment(db: Database, order: NaiveOrder, { status, resource }: RowChange) {
  return await db
    .insertInto('payments')
    .values({
      ...owner,
      id: order.paymentId,
      order_id: order.orderId,
      intent: 'authorize',
      status,
      state: JSON.stringify({ order, resource }),
      version: 1,
      description: null,
      payee_masked: null,
      return_url: order.returnUrl,
      cancel_url: order.cancelUrl,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((update) => ({
        status,
        state: JSON.stringify({ order, resource }),
        version: update('payments.version', '+', 1),
        updated_at: new Date(),
      })),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
}

async function insertCall(db: Database, paymentId: string, call: NonNullable<RowChange['call']>) {
  await db
    .insertInto('api_calls')
    .values({
      ...owner,
      subject_id: paymentId,
      operation: call.operation,
      method: 'POST',
      path: call.path,
      status: 200,
      request_id: null,
      debug_id: null,
      transaction_id: null,
      started_at: new Date(call.startedAt),
      duration_ms: call.durationMs,
      request: null,
      response: null,
      request_headers: null,
      response_headers: null,
      error: null,
    })
    .execute();
}
