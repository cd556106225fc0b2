import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client, Pool } from 'pg';
import { type Database, statedConnectTimeoutMs } from './database.js';

const channel = 'payment_changed';

/** Waiters have read by themselves by then, and other announcements wait. */
const announcedWithinMs = 2_000;

/**
 * Notifies waiting API processes that a subject's rows changed. The notification is sent after the commit on its own
 * connection: inside the transaction all commits would queue behind one lock. Those that come while one is being sent
 * share the next statement. If one is lost, a waiter only reads a little later.
 */
export class ChangeAnnouncer {
  private readonly pool: Pool;
  private readonly waiting = new Set<string>();
  private sending: Promise<void> | undefined;

  constructor(connectionString: string) {
    this.pool = new Pool({
      connectionString,
      max: 1,
      options: '-c synchronous_commit=off',
      connectionTimeoutMillis: announcedWithinMs,
      query_timeout: announcedWithinMs,
    });
    this.pool.on('error', () => undefined);
  }

  announce(subjectId: string): void {
    this.waiting.add(subjectId);
    this.sending ??= this.sendAll().finally(() => (this.sending = undefined));
  }

  async close(): Promise<void> {
    await this.sending;
    await this.pool.end();
  }

  private async sendAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const values = [channel, [...this.waiting]];
      this.waiting.clear();
      await this.pool.query({ ...announcement, values }).catch(() => undefined);
    }
  }
}

/** The same for a writer that has no announcer, once its transaction is committed. */
export async function announceChange(db: Database, id: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${id})`.execute(db);
}

const announcement = {
  name: 'announcement',
  text: 'select pg_notify($1, subject_id) from unnest($2::text[]) as subject_id',
};

/** Listens for changed subjects on one connection per process, and reconnects when it is lost. */
export class ChangeListener {
  private readonly waiters = new Map<string, Set<() => void>>();
  private readonly watchers = new Set<() => void>();
  private client: Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private closed = false;

  /** @param patienceMs how long the server may take to answer, and between two questions whether it still does. */
  constructor(
    private readonly connectionString: string,
    private readonly patienceMs = 5_000,
  ) {}

  async start(): Promise<void> {
    if (this.closed) return;
    const client = new Client({
      connectionString: this.connectionString,
      keepAlive: true,
      connectionTimeoutMillis: statedConnectTimeoutMs(this.connectionString) ?? this.patienceMs,
      query_timeout: this.patienceMs,
    });
    this.client = client;
    client.on('notification', ({ payload }) => this.wake(payload));
    client.on('error', () => undefined);
    client.on('end', () => this.startLater());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.wakeAll();
      void this.askAgain(client);
    } catch {
      await client.end().catch(() => undefined);
      this.startLater();
    }
  }

  /** A connection that has fallen silent looks like one on which nothing changes. Its end starts another one. */
  private async askAgain(client: Client): Promise<void> {
    try {
      for (;;) {
        await setTimeout(this.patienceMs, undefined, { ref: false });
        await client.query(`listen ${channel}`);
      }
    } catch {
      await client.end().catch(() => undefined);
    }
  }

  /** Calls back at each change of anything, and when changes may have been missed. */
  onChange(watcher: () => void): void {
    this.watchers.add(watcher);
  }

  /** Resolves at the subject's next change or after `ms`, whichever is first. The caller reads the rows in both cases. */
  async changed(subjectId: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.waiters.get(subjectId) ?? new Set();
    this.waiters.set(subjectId, waiting.add(resolve));
    const timer = globalThis.setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
    if (waiting.size === 0) this.waiters.delete(subjectId);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private wake(subjectId: string | undefined): void {
    for (const resolve of this.waiters.get(subjectId ?? '') ?? []) resolve();
    for (const watcher of this.watchers) watcher();
  }

  /** Notifications during a disconnect are lost, so all waiters read again. */
  private wakeAll(): void {
    for (const subjectId of this.waiters.keys()) this.wake(subjectId);
    for (const watcher of this.watchers) watcher();
  }

  private startLater(): void {
    if (this.closed || this.reconnect) return;
    this.reconnect = globalThis.setTimeout(() => {
      this.reconnect = undefined;
      void this.start();
    }, 500);
    this.reconnect.unref();
  }
}
