import { Kysely, PostgresDialect, type ColumnType } from 'kysely';
import { Pool } from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { carryOut } from '#sandbox/clock/carry-out.js';
import type { SandboxContext } from '#sandbox/context/sandbox-context.js';
import { createDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';

interface Tasks {
  tasks: { id: number; due_at: ColumnType<Date, Date, Date> };
}

let context: SandboxContext;
let statements: string[];
let tasks: Kysely<Tasks>;

const database = forAllTests(createDatabase);

beforeAll(async () => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  const log = ({ query }: { query: { sql: string } }) => void statements.push(query.sql);
  tasks = new Kysely<Tasks>({ dialect: new PostgresDialect({ pool }), log });
  const logger = pino({ level: 'silent' });
  context = { database: tasks, logger, wakeTasks: () => undefined } as unknown as SandboxContext;
  statements = [];
  await tasks.schema
    .createTable('tasks')
    .addColumn('id', 'integer')
    .addColumn('due_at', 'timestamptz')
    .execute();
});
beforeEach(async () => {
  await tasks.deleteFrom('tasks').execute();
  statements = [];
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(async () => {
  await tasks.destroy();
});

/** Tasks that fell due one after the other, in the order of their ids. */
async function fallDue(...ids: number[]): Promise<void> {
  const rows = ids.map((id) => ({ id, due_at: new Date(Date.UTC(2030, 0, 1, 0, 0, id)) }));
  await tasks.insertInto('tasks').values(rows).execute();
}

const due = () => tasks.selectFrom('tasks').selectAll();
const finish = async ({ id }: { id: number }) => {
  await tasks.deleteFrom('tasks').where('id', '=', id).execute();
};
const isLast = ({ id }: { id: number }) => id === 100;
const broken = () => Promise.reject(new Error('broken'));

it('a task that fails delays no other that is due', async () => {
  await fallDue(1, 2, 3);
  const done: number[] = [];
  await carryOut(context, due, async ({ id }) => {
    if (id === 2) await broken();
    done.push(id);
  });
  expect(done).toEqual([1, 3]);
});

it('a task that fails is not repeated at once, alone or beside others that succeed', async () => {
  await fallDue(1);
  expect(await carryOut(context, due, broken)).toBe('nothing');
  await fallDue(2);
  const act = async ({ id }: { id: number }) => (id === 1 ? broken() : undefined);
  expect(await carryOut(context, due, act)).toBe('nothing');
});

it('a backlog is worked off without a pause, and its end is noticed', async () => {
  await fallDue(...Array.from({ length: 120 }, (_, index) => index));
  const runs = [];
  for (let run = 0; run < 4; run += 1) runs.push(await carryOut(context, due, finish));
  expect(runs).toEqual(['work', 'work', 'work', 'quiet']);
});

it.each(['fail for ever', 'are due again at once'])(
  'a hundred tasks that %s delay no other, even one that fell due after them',
  async (what) => {
    await fallDue(...Array.from({ length: 101 }, (_, index) => index));
    const act = async (one: { id: number }) => {
      if (isLast(one)) await finish(one);
      else if (what === 'fail for ever') await broken();
    };
    let runs = 0;
    while ((await due().execute()).some(isLast)) {
      await carryOut(context, due, act);
      runs += 1;
      // Each search takes a random half of the due tasks: a hundred in a row without this one is chance once in 10^30.
      expect(runs).toBeLessThan(100);
    }
  },
);

it('searches at the same time are one statement, and each does its own work when it is due', async () => {
  const done: string[] = [];
  const look = (name: string, from: number) =>
    carryOut(
      context,
      () => due().where('id', '>=', from),
      async (task) => {
        done.push(`${name} ${task.id}`);
        await finish(task);
      },
    );
  expect(await Promise.all([look('one', 1), look('other', 2)])).toEqual(['quiet', 'quiet']);
  expect(statements).toHaveLength(1);

  await fallDue(1);
  expect(await Promise.all([look('one', 1), look('other', 2)])).toEqual(['work', 'quiet']);
  expect(done).toEqual(['one 1']);
});

it('what will be due soon keeps a search from being quiet, and is not carried out before it is due', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const dueAt = new Date(Date.now() + 1_000);
  await tasks.insertInto('tasks').values({ id: 1, due_at: dueAt }).execute();
  const done: number[] = [];
  const look = () =>
    carryOut(
      context,
      (instant) => due().where('due_at', '<=', instant),
      async ({ id }) => {
        done.push(id);
        await finish({ id });
      },
    );
  expect(await look()).toBe('nothing');
  expect(done).toEqual([]);
  vi.setSystemTime(dueAt);
  expect(await look()).toBe('work');
  expect(done).toEqual([1]);
  expect(await look()).toBe('quiet');
});

it('searches fail together when the database is down, and are repeated', async () => {
  const gone = tasks.selectFrom('gone' as 'tasks').selectAll();
  const looks = [carryOut(context, due, finish), carryOut(context, () => gone, finish)];
  expect((await Promise.allSettled(looks)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await fallDue(1);
  await carryOut(context, due, finish);
  expect(await due().execute()).toEqual([]);
});
