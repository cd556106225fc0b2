import { Client, Pool } from 'pg';

const channel = 'payment_changed';

/**
 * Tells waiting API processes that a payment's rows changed. A hint, sent after the commit on a connection of its own:
 * inside the transaction it would make every commit queue behind one lock, and a lost hint only costs a waiter its
 * next look.
 */
export class ChangeAnnouncer {
  private readonly pool: Pool;

  constructor(connectionString: string) {
    this.pool = new Pool({ connectionString, max: 1, options: '-c synchronous_commit=off' });
    this.pool.on('error', () => undefined);
  }

  announce(paymentId: string): void {
    this.pool.query('select pg_notify($1, $2)', [channel, paymentId]).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** Listens for changed payments on one connection per process, and reconnects when it is lost. */
export class ChangeListener {
  private readonly waiters = new Map<string, Set<() => void>>();
  private client: Client | undefined;
  private reconnect: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly connectionString: string) {}

  async start(): Promise<void> {
    if (this.closed) return;
    const client = new Client({ connectionString: this.connectionString, keepAlive: true });
    this.client = client;
    client.on('notification', ({ payload }) => this.wake(payload));
    client.on('error', () => undefined);
    client.on('end', () => this.startLater());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      this.wakeAll();
    } catch {
      await client.end().catch(() => undefined);
      this.startLater();
    }
  }

  /** Resolves at the payment's next change or after `ms`, whichever is first; the caller looks at the rows either way. */
  async changed(paymentId: string, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.waiters.get(paymentId) ?? new Set();
    this.waiters.set(paymentId, waiting.add(resolve));
    const timer = setTimeout(resolve, ms);
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
    if (waiting.size === 0) this.waiters.delete(paymentId);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.reconnect);
    await this.client?.end().catch(() => undefined);
  }

  private wake(paymentId: string | undefined): void {
    for (const resolve of this.waiters.get(paymentId ?? '') ?? []) resolve();
  }

  /** What was announced while nobody listened is lost: everybody looks again. */
  private wakeAll(): void {
    for (const paymentId of this.waiters.keys()) this.wake(paymentId);
  }

  private startLater(): void {
    if (this.closed || this.reconnect) return;
    this.reconnect = setTimeout(() => {
      this.reconnect = undefined;
      void this.start();
    }, 500);
    this.reconnect.unref();
  }
}
