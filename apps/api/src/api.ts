import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Logger, pino } from 'pino';
import {
  ChangeListener,
  type Database,
  isDatabaseAway,
  openDatabase,
  requireSchema,
} from '#database/connection';
import type { ApiConfig } from './injected/api-config.js';
import type { Telemetry } from './injected/telemetry.js';
import { closeTelemetry, openTelemetry, requestIdNow, whereFrom } from './telemetry.js';
import { ApiModule } from './api.module.js';
import { describeWebhooks } from './notifications/webhooks-document.js';
import { serveOpenApi } from './openapi/openapi.js';
import { keyIdOf } from './auth/api-key.guard.js';
import { accessOf } from './server/access-line.js';
import { admit } from './server/admission.js';
import { callerNow } from './requests/caller-now.js';
import { rateOf } from './server/rate-limits.js';
import { createAdapter } from './server/server.js';
import { noteRoutes } from './server/wrong-methods.js';
import { openTemporalClient } from '#runs';
import { temporalClientTraces } from '#observability';
import { protectForms } from './sign-in/own-forms.js';

/** A request is answered within 8 s when the database is away, even if the database hangs instead of refusing. */
const databaseDeadlines = { connectTimeoutMs: 3_000, queryTimeoutMs: 5_000 };
/** One API key, or all payers together, take at most 6 of the pool's 10 connections. The rest stays free for others. */
const share = { callerNow, most: 6 };

/**
 * Log lines are buffered and written together, so that no request waits for the log's reader. If the reader stops,
 * lines beyond these bytes are dropped.
 */
const logging = { sync: false, maxLength: 16_777_216 };

export interface RunningApi {
  /** Origin that the process listens on. */
  readonly url: string;
  /** Where Prometheus reads the metrics, if there are any. */
  readonly metricsUrl: string | undefined;
  /** Answers the requests under way (long polls at once), then closes everything. */
  close(): Promise<void>;
}

/**
 * Waits for the database and starts the API. Later, while Temporal or PostgreSQL is away, requests
 * that need it are answered with 503.
 *
 * @param signal stops the waiting for the database.
 * @throws {SchemaTooOld} before it listens.
 */
export async function startApi(config: ApiConfig, signal?: AbortSignal): Promise<RunningApi> {
  const db = openDatabase(config.databaseUrl, { ...databaseDeadlines, share });
  const listener = new ChangeListener(config.databaseUrl);
  const telemetry = await openTelemetry(config);
  const { metrics, tracing } = telemetry;
  const logger = openLogger(config, telemetry);
  metrics?.work.watchPool(db);
  const temporal = openTemporalClient({
    ...config.temporal,
    codecKeys: config.codecKeys,
    caller: 'api',
    interceptors: tracing ? [temporalClientTraces(tracing, requestIdNow)] : [],
  });
  const closeParts = async () => {
    await listener.close();
    await temporal.connection.close();
    await db.destroy();
    await closeTelemetry(telemetry);
  };
  try {
    await requireSchemaWhenReachable(db, logger, signal);
    void listener.start();
    const adapter = await createAdapter(logger, {
      requestTimeoutMs: config.requestTimeoutMs,
      admit: (request, reply) => admit(config, request, reply),
      keyIdOf: (request) => keyIdOf(config, request),
      accessOf: (request, reply) => accessOf(config, request, reply),
      trustedProxies: config.trustedProxies,
      callerLimits: config.callerLimits,
      rateOf: (request) => rateOf(config, request),
      rateLimits: config.rateLimits,
      maxConnections: config.maxConnections,
      telemetry,
    });
    const refuseOtherMethods = noteRoutes(adapter.getInstance());
    const app = await NestFactory.create<NestFastifyApplication>(
      ApiModule.with({ config, db, listener, temporal, logger, telemetry }),
      adapter,
      { bodyParser: false, logger: false, abortOnError: false },
    );
    await protectForms(app);
    serveOpenApi(app, describeWebhooks());
    await app.init();
    refuseOtherMethods();
    await app.listen(config.port, config.host);
    const url = await app.getUrl();
    logger.info({ url }, 'the API accepts requests');
    return {
      url,
      metricsUrl: metrics?.url,
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

function openLogger({ logLevel: level }: ApiConfig, telemetry: Telemetry): Logger {
  return pino({ name: 'api', level, mixin: () => whereFrom(telemetry) }, pino.destination(logging));
}

/** The schema is a step of its own (`npm run migrate`): a process that migrated it would make going back impossible. */
async function requireSchemaWhenReachable(db: Database, logger: Logger, signal?: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await requireSchema(db);
      return;
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      logger.warn('the database cannot be reached; the start is tried again every second');
      await setTimeout(1_000, undefined, { ...(signal && { signal }) });
    }
  }
}
