import { Pool as Database } from 'pg';
import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';

// The baseline of notifications: an outbox as it is usually written. A loop locks the next rows, sends each signed, and
// deletes them in the same transaction. Bodies are stored ready; nothing is retried, recorded, ordered or encrypted.
const [url = '', secret = '', loops = '', rowsOfLoop = ''] = process.argv.slice(2);
const database = new Database({ connectionString: process.env['DATABASE_URL'], max: Number(loops) });
const dispatcher = new Agent({ connections: Number(loops) * Number(rowsOfLoop) });
const webhook = new Webhook(secret);

interface Row {
  readonly id: string;
  readonly body: string;
}

process.on('message', () => {
  void Promise.all(Array.from({ length: Number(loops) }, sendAll)).then(() => process.send?.('sent'));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

async function sendAll(): Promise<void> {
  while (await sendNext());
}

async function sendNext(): Promise<boolean> {
  const client = await database.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<Row>(
      'select id, body from bare_outbox order by id limit $1 for update skip locked',
      [Number(rowsOfLoop)],
    );
    await Promise.all(rows.map(send));
    await client.query('delete from bare_outbox where id = any($1)', [rows.map(({ id }) => id)]);
    await client.query('commit');
    return rows.length > 0;
  } finally {
    client.release();
  }
}

async function send({ id, body }: Row): Promise<void> {
  const at = new Date();
  const answer = await request(url, {
    method: 'POST',
    dispatcher,
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': webhook.sign(id, at, body),
    },
  });
  await answer.body.dump();
  if (answer.statusCode !== 204) throw new Error(`the receiver answered ${answer.statusCode}`);
}
