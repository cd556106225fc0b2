import { setTimeout as wait } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { type Database, openDatabase } from '#database/connection';
import { type Counters, countUrgent, readPulses } from '#database/console';
import { countOpenRuns, readQueues } from '#database/observation';
import type { Owner } from '#database/schema';
import { figures, type Reading } from './figures.js';

/** A reading counts for at least so long: several scrapers cost no more than one. */
const freshMs = 10_000;
/**
 * And for so many times its own duration: with very many open runs it is read less often, so that the cost stays
 * bounded.
 */
const shareOfTime = 50;
/** Prometheus waits for ten seconds by default. */
const patienceMs = 5_000;
const dayMs = 86_400_000;

/**
 * Gauges of the rows, the same in every process. They have a connection of their own, so that they neither wait for nor
 * take those of the work. While the database is away they are absent, and `engine_database_up` is 0.
 */
export class DatabaseFigures {
  private readonly db: Database;
  private readonly up: Gauge;
  private readonly gauges: readonly Gauge[];
  private reading: Promise<void> | undefined;
  private freshUntil = 0;

  constructor(
    registry: Registry,
    databaseUrl: string,
    private readonly owners: readonly Owner[],
  ) {
    this.db = openDatabase(databaseUrl, { poolSize: 1, connectTimeoutMs: 2_000, queryTimeoutMs: patienceMs });
    const registers = [registry];
    this.up = new Gauge({
      name: 'engine_database_up',
      help: '1 if PostgreSQL has answered the latest reading of the gauges',
      registers,
    });
    this.gauges = figures.map(
      ({ name, help, labels }) => new Gauge({ name, help, labelNames: labels, registers }),
    );
  }

  /** Reads the rows, unless the last reading still counts. Never rejects. */
  async refresh(): Promise<void> {
    if (performance.now() < this.freshUntil) return;
    this.reading ??= this.read().finally(() => {
      this.reading = undefined;
    });
    const late = new AbortController();
    await Promise.race([
      this.reading.catch(() => this.forget()),
      wait(patienceMs, undefined, { signal: late.signal }).then(
        () => this.forget(),
        () => undefined,
      ),
    ]);
    late.abort();
  }

  async close(): Promise<void> {
    await this.db.destroy();
  }

  private async read(): Promise<void> {
    const startedAt = performance.now();
    const shown = await readAll(this.db, this.owners);
    for (const [place, { values }] of figures.entries()) {
      const gauge = this.gauges[place];
      gauge?.reset();
      for (const { labels, value } of values(shown)) gauge?.set(labels, value);
    }
    this.up.set(1);
    const now = performance.now();
    this.freshUntil = now + Math.max(freshMs, shareOfTime * (now - startedAt));
  }

  private forget(): void {
    this.up.set(0);
    for (const gauge of this.gauges) gauge.reset();
  }
}

async function readAll(db: Database, owners: readonly Owner[]): Promise<Reading> {
  const urgent: (Owner & Counters)[] = [];
  for (const { environment, application } of owners) {
    const counted = await countUrgent(db, [{ environment, application }], { holdsWithinMs: dayMs });
    urgent.push({ environment, application, ...counted });
  }
  return {
    urgent,
    runs: await countOpenRuns(db, owners),
    queues: await readQueues(db, owners),
    pulses: await readPulses(db, owners),
  };
}
