import { Client } from 'pg';

/** Ids and instants of one database, for requests. */
export interface Samples {
  /** A payment that was captured half-way, with all rows of its model. */
  readonly payment: string;
  readonly refunded: string;
  readonly refund: string;
  readonly plan: string;
  readonly popularPlan: string;
  readonly subscription: string;
  readonly payout: string;
  readonly order: string;
  readonly resource: string;
  readonly event: string;
  readonly eventResource: string;
  readonly debugId: string;
  readonly transaction: string;
  readonly call: string;
  readonly invoice: string;
  readonly requestId: string;
  readonly idempotencyKey: string;
  readonly command: string;
  readonly notification: string;
  readonly endpoint: string;
  /** Of rows from the middle. */
  readonly middle: Readonly<
    Record<'payment' | 'refund' | 'event' | 'call' | 'notification' | 'drift' | 'audit', string>
  >;
}

export async function readSamples(databaseUrl: string): Promise<Samples> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const one = async (statement: string, ...values: unknown[]): Promise<string> => {
      const { rows } = await client.query<[unknown]>({ text: statement, values, rowMode: 'array' });
      if (rows[0] === undefined) throw new Error(`no row for ${statement}`);
      return String(rows[0][0]);
    };
    const middle = (table: string, id = 'id'): Promise<string> =>
      one(`SELECT ${id} FROM ${table} ORDER BY ${id} OFFSET (SELECT count(*) / 2 FROM ${table}) LIMIT 1`);
    const halfWay = (kind: string): Promise<string> =>
      one(
        `SELECT id FROM model.copy WHERE kind = $1 AND application = 'shop' ORDER BY is_whole DESC,
           abs(n - (SELECT max(n) / 2 FROM model.copy)) LIMIT 1`,
        kind,
      );
    const payment = await halfWay('captured');
    const refunded = await halfWay('refunded');
    const of = (column: string, table: string, subject = payment): Promise<string> =>
      one(`SELECT ${column} FROM ${table} WHERE subject_id = $1 ORDER BY 1 LIMIT 1`, subject);
    const { rows } = await client.query<Record<'plan' | 'subscription' | 'payout', string>>(
      'SELECT plan, subscription, payout FROM model.other ORDER BY n OFFSET (SELECT count(*) / 2 FROM model.other) LIMIT 1',
    );
    const [other] = rows;
    if (!other) throw new Error('nothing else was copied');
    return {
      ...other,
      payment,
      refunded,
      refund: await one('SELECT id FROM refunds WHERE payment_id = $1 LIMIT 1', refunded),
      popularPlan: await one('SELECT min(plan) FROM model.other'),
      order: await one('SELECT order_id FROM payments WHERE id = $1', payment),
      resource: await of('resource_id', 'resources'),
      event: await of('event_id', 'webhook_events'),
      eventResource: await of('resource_ids[1]', 'webhook_events'),
      debugId: await of('debug_id', 'api_calls'),
      transaction: await of('transaction_id', 'api_calls'),
      call: await of('id', 'api_calls'),
      invoice: await of('reference', 'attempts'),
      requestId: await of('request_id', 'attempts'),
      idempotencyKey: await of('idempotency_key', 'commands'),
      command: await of('id', 'commands'),
      notification: await of('id', 'notifications'),
      endpoint: await one(`SELECT id FROM notification_endpoints WHERE application = 'shop'`),
      middle: {
        payment: await middle('payments'),
        refund: await middle('refunds'),
        event: await middle('webhook_events'),
        call: await middle('api_calls'),
        notification: await middle('notifications', 'sequence'),
        drift: await middle('drift'),
        audit: await middle('console_audit'),
      },
    };
  } finally {
    await client.end();
  }
}
