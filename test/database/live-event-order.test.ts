import { expect, it } from 'vitest';
import { sql } from 'kysely';
import { type LiveEvent, listLiveEvents, type Position } from '#database/notifications';
import { owner, useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

it('a listener that resumes gets the events of transactions in their order, also when their numbers get longer', async () => {
  const transactions = ['8', '9', '10', '11', '99', '100', '101'];
  await sql`insert into notifications (environment, application, type, subject_id, payload, written_by)
    select ${owner.environment}, ${owner.application}, 'payment.authorized', 'pay_1', '{}', number::text::xid8
    from unnest(${transactions}::text[]) as written (number)`.execute(engine.db);
  const heard: LiveEvent[] = [];
  for (let after: Position = { transaction: '7', sequence: '0' }; ;) {
    const [event] = await listLiveEvents(engine.db, { after, owner, limit: 1 });
    if (!event) break;
    heard.push(event);
    after = { transaction: event.written_by, sequence: String(event.sequence) };
  }
  expect(heard.map(({ written_by: transaction }) => transaction)).toEqual(transactions);
});
