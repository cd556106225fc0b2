import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChangeAnnouncer, ChangeListener } from '#database/connection';
import { createDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { announceUntil } from './announce-until.js';
import { newId } from './engine-database.js';
import { relayTo } from './relay-to.js';

/** Longer than a test may take: what ends a wait here is an announcement. */
const forLong = 3_600_000;

let admin: Client;
let listener: ChangeListener;
let announcer: ChangeAnnouncer;

const database = forAllTests(createDatabase);

beforeAll(async () => {
  admin = new Client({ connectionString: database.url });
  await admin.connect();
  listener = new ChangeListener(database.url);
  await listener.start();
  announcer = new ChangeAnnouncer(database.url);
});

afterAll(async () => {
  await Promise.all([listener.close(), announcer.close(), admin.end()]);
});

describe('a listener for changes', () => {
  it('wakes everyone who waits for the payment, and no one else', async () => {
    const [mine, other] = [newId('pay'), newId('pay')];
    const woken: string[] = [];
    const waits = [mine, mine, mine].map(async (id) => {
      await listener.changed(id, forLong);
      woken.push(id);
    });
    const otherWait = listener.changed(other, forLong).then(() => woken.push(other));
    await announceUntil(announcer, mine, Promise.all(waits));
    expect(woken).toEqual([mine, mine, mine]);
    await announceUntil(announcer, other, otherWait);
  });

  it('stops a wait after its time when nothing changes', async () => {
    await listener.changed(newId('pay'), 1);
  });

  it('listens again after its connection was lost, and wakes those who may have missed a message', async () => {
    const [before] = await listeningBackends();
    const missed = listener.changed(newId('pay'), forLong);
    await admin.query('select pg_terminate_backend($1)', [before]);
    await missed;
    const [after] = await listeningBackends();
    expect(after).not.toBe(before);

    const id = newId('pay');
    await announceUntil(announcer, id, listener.changed(id, forLong));
  });

  it('listens again after its connection has fallen silent', async () => {
    const relay = await relayTo(database.url);
    const relayed = new ChangeListener(relay.url, 1_000);
    try {
      await relayed.start();
      relay.fallSilent();
      await relayed.changed(newId('pay'), forLong);
      const id = newId('pay');
      await announceUntil(announcer, id, relayed.changed(id, forLong));
    } finally {
      await relayed.close();
      relay.close();
    }
  });

  it('leaves no connection behind when it is closed', async () => {
    const another = new ChangeListener(database.url);
    await another.start();
    expect(await listeningBackends()).toHaveLength(2);
    await another.close();
    await until(listeningBackends, (backends) => backends.length === 1, 'the connection to be closed');
  });

  it('starts while the database is down, and does not stop its process', async () => {
    const early = new ChangeListener('postgres://127.0.0.1:1/nowhere');
    await early.start();
    await early.changed(newId('pay'), 1);
    await early.close();
  });
});

it('a failed announcement is only a lost hint', async () => {
  const nowhere = new ChangeAnnouncer('postgres://127.0.0.1:1/nowhere');
  nowhere.announce(newId('pay'));
  await nowhere.close();
});

it('announcements go on after a connection that has fallen silent', async () => {
  const relay = await relayTo(database.url);
  const relayed = new ChangeAnnouncer(relay.url);
  try {
    const first = newId('pay');
    await announceUntil(relayed, first, listener.changed(first, forLong));

    relay.fallSilent();
    const later = newId('pay');
    await announceUntil(relayed, later, listener.changed(later, forLong));
  } finally {
    await relayed.close();
    relay.close();
  }
});

async function listeningBackends(): Promise<number[]> {
  const { rows } = await admin.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen%' order by backend_start`,
  );
  return rows.map(({ pid }) => pid);
}
