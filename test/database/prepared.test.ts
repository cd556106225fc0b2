import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findCommand } from '#database/commands';
import { parameter, prepared, runPrepared } from '#database/connection/prepared.js';
import { findPayment, findPaymentById } from '#database/subjects';
import { useEngineDatabase } from './engine-database.js';

const engine = useEngineDatabase();

it('a prepared statement takes its values by their places, and its constants besides', async () => {
  const [first, second] = [parameter(1), parameter(2)];
  const statement = prepared(
    'places',
    () =>
      sql`select ${'x'}::text || ${second}::text || ${first}::text || ${second}::text || ${'y'}::text as text`,
  );
  expect(await runPrepared(engine.db, statement, ['1', '2'])).toEqual([{ text: 'x212y' }]);
  await engine.db.transaction().execute(async (trx) => {
    expect(await runPrepared(trx, statement, ['a', 'b'])).toEqual([{ text: 'xbaby' }]);
  });
});

it('a connection that has prepared the hot reads reads on when a migration adds a column', async () => {
  const identity = { environment: 'sandbox', application: 'shop', paymentId: 'pay_none' };
  const readAll = async () => [
    await findCommand(engine.db, 'cmd_none'),
    await findPaymentById(engine.db, 'pay_none'),
    await findPayment(engine.db, identity),
  ];
  await readAll();
  for (const table of ['commands', 'payments'])
    await sql`alter table ${sql.table(table)} add column added_later text`.execute(engine.db);
  expect(await readAll()).toEqual([undefined, undefined, undefined]);
});
