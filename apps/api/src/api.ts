import 'reflect-metadata';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, pino } from 'pino';
import { ChangeListener, isDatabaseAway, migrateDatabase, openDatabase } from '#database/connection';
import type { ApiConfig } from './api-config.js';
import { ApiModule } from './api.module.js';
import { serveOpenApi } from './openapi/openapi.js';
import { authenticate, callerOf } from './auth/api-key.guard.js';
import { callerNow } from './server/caller-limits.js';
import { createAdapter } from './server/server.js';
import { openTemporalClient } from '#runs';

/** Whoever asks is told within 8 s at the latest that the database is away, also where it hangs instead of refusing. */
const databaseDeadlines = { connectTimeoutMs: 3_000, queryTimeoutMs: 5_000 };
/** Of the pool's ten connections: whatever one key asks, or all payers, others find some that they cannot take. */
const share = { callerNow, most: 6 };

/**
 * Lines that come while others are being written go together, at the end of the process too: nobody waits for one, and
 * a reader that stands still stops no payment. What he leaves beyond these bytes is dropped.
 */
const logging = { sync: false, maxLength: 16_777_216 };

export interface RunningApi {
  /** Origin that the process listens on. */
  readonly url: string;
  /** Answers what is under way, long polls at once, then closes everything. */
  close(): Promise<void>;
}

/**
 * Brings the database's schema up to date, waiting for the database if need be, and starts the API. Afterwards
 * Temporal and PostgreSQL may come and go: it answers 503 while it needs one that is away.
 *
 * @param signal gives up the waiting.
 */
export async function startApi(config: ApiConfig, signal?: AbortSignal): Promise<RunningApi> {
  const logger = pino({ name: 'api', level: config.logLevel }, pino.destination(logging));
  const db = openDatabase(config.databaseUrl, { ...databaseDeadlines, share });
  const listener = new ChangeListener(config.databaseUrl);
  const temporal = openTemporalClient({ ...config.temporal, codecKeys: config.codecKeys, caller: 'api' });
  const closeParts = async () => {
    await listener.close();
    await temporal.connection.close();
    await db.destroy();
  };
  try {
    await migrateWhenReachable(config.databaseUrl, logger, signal);
    void listener.start();
    const app = await NestFactory.create<NestFastifyApplication>(
      ApiModule.with({ config, db, listener, temporal, logger }),
      createAdapter(logger, {
        requestTimeoutMs: config.requestTimeoutMs,
        authenticate: (request) => authenticate(config, request),
        keyIdOf: (request) => callerOf(config, request)?.keyId,
        callerLimits: config.callerLimits,
      }),
      { bodyParser: false, logger: false, abortOnError: false },
    );
    serveOpenApi(app);
    await app.listen(config.port, config.host);
    return {
      url: await app.getUrl(),
      close: async () => {
        await app.close();
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

async function migrateWhenReachable(
  databaseUrl: string,
  logger: Logger,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const givenUp = aborted(signal);
  givenUp.catch(() => undefined);
  for (;;) {
    try {
      // It may last, and whoever ends this process meanwhile does not wait for it.
      await Promise.race([migrateDatabase(databaseUrl), givenUp]);
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      logger.warn('the database cannot be reached yet');
      await setTimeout(1_000, undefined, { signal });
    }
  }
}

/** Rejects once the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}
