import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { problemOfError } from '#api/problems/problem-of-error.js';
import { type Database, openDatabase, ShareInUseError } from '#database/connection';
import { parameter, prepared, runPrepared } from '#database/connection/prepared.js';
import { createDatabase, withUsualTimeouts } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';

const caller = new AsyncLocalStorage<string>();
const database = forAllTests(createDatabase);

/** Of three connections each caller may have two. */
function open(connectTimeoutMs: number): Database {
  const share = { callerNow: () => caller.getStore(), most: 2 };
  return openDatabase(withUsualTimeouts(database.url).href, { poolSize: 3, connectTimeoutMs, share });
}

/** Holds a connection until it is let go. */
function hold(db: Database): {
  readonly held: Promise<void>;
  readonly letGo: () => void;
  readonly done: Promise<void>;
} {
  const held = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = db.connection().execute(async () => {
    held.resolve();
    await letGo.promise;
  });
  done.catch(held.reject);
  return { held: held.promise, letGo: letGo.resolve, done };
}
const lookAt = (db: Database) => async () => await sql`select 1`.execute(db);

test('a caller that has used its whole share waits in its own queue, and others get a connection', async () => {
  const db = open(25_000);
  const look = lookAt(db);
  const greedy = caller.run('greedy', () => [hold(db), hold(db)]);
  await Promise.all(greedy.map(({ held }) => held));
  const order: string[] = [];
  const waiting = ['first', 'second'].map((name) =>
    caller.run('greedy', async () => {
      await look();
      order.push(name);
    }),
  );
  await caller.run('modest', look);
  await look();
  expect(order).toEqual([]);
  // One of the two: both at once would look side by side, and either could be the first to end.
  greedy[0]?.letGo();
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'second']);
  greedy[1]?.letGo();
  await Promise.all(greedy.map(({ done }) => done));
  await caller.run('greedy', look);
  await db.destroy();
});

test('a caller that waits too long for its share gets an error, and may come again', async () => {
  const db = open(2_000);
  const look = lookAt(db);
  const greedy = caller.run('greedy', () => [hold(db), hold(db)]);
  await Promise.all(greedy.map(({ held }) => held));
  const error: unknown = await caller.run('greedy', look).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ShareInUseError);
  expect(problemOfError(error)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
  for (const { letGo } of greedy) letGo();
  await Promise.all(greedy.map(({ done }) => done));
  await caller.run('greedy', look);
  await db.destroy();
});

test('an address that says how long to wait for a connection says it for a share, too', async () => {
  const address = new URL(database.url);
  address.searchParams.set('connect_timeout', '1');
  const share = { callerNow: () => caller.getStore(), most: 1 };
  const db = openDatabase(address.href, { connectTimeoutMs: 600_000, share });
  const greedy = caller.run('greedy', () => hold(db));
  await greedy.held;
  await expect(caller.run('greedy', lookAt(db))).rejects.toThrow(ShareInUseError);
  greedy.letGo();
  await greedy.done;
  await db.destroy();
});

test('prepared statements take their part of the caller’s share, and give it back when they fail', async () => {
  const db = open(2_000);
  const division = prepared('division', () => sql`select 6 / ${parameter(1)}::integer as quotient`);
  const divide = (by: number) => caller.run('greedy', () => runPrepared(db, division, [by]));
  const backend = prepared('backend', () => sql`select pg_backend_pid() as pid`);
  const backendOf = async () =>
    (await caller.run('greedy', () => runPrepared(db, backend, [])))[0]?.['pid'] as unknown;
  const before = await backendOf();
  for (let time = 0; time < 5; time += 1) await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
  expect(await divide(2)).toEqual([{ quotient: 3 }]);
  // The server has answered: its connection is as good as before.
  expect(await backendOf()).toBe(before);
  const held = caller.run('greedy', () => [hold(db), hold(db)]);
  await Promise.all(held.map((each) => each.held));
  await expect(divide(1)).rejects.toThrow(ShareInUseError);
  for (const each of held) each.letGo();
  await Promise.all(held.map(({ done }) => done));
  await db.destroy();
});
