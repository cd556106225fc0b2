import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { pino } from 'pino';
import { openTemporalClient } from '#runs';
import { ChangeListener, openDatabase } from '#database/connection';
import { ApiModule } from './api.module.js';
import type { ApiConfig } from './injected/api-config.js';
import { describeWebhooks } from './notifications/webhooks-document.js';
import { describeApi } from './openapi/openapi.js';

/** Nothing is connected: no route is called. */
const config: ApiConfig = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'http://127.0.0.1',
  databaseUrl: 'postgres://127.0.0.1:9/none',
  temporal: { address: '127.0.0.1:9', namespace: 'default', taskQueue: 'none', deadlineMs: 1 },
  applications: [],
  apiKeys: [],
  codecKeys: { current: 'none', keys: new Map([['none', Buffer.alloc(32)]]) },
  patience: {
    outcomeHorizonMs: 1,
    firstLookMs: 1,
    firstRetryMs: 1,
    firstPollMs: 1,
    longestPollMs: 1,
    maxAttempts: 1,
    reviewAfterMs: 1,
  },
  answerWithinMs: 1,
  payerWaitMs: 1,
  logLevel: 'silent',
};

/** The document that the API serves at /openapi.json, for those that need it without a running API. */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const temporal = openTemporalClient({ ...config.temporal, codecKeys: config.codecKeys, caller: 'api' });
  const db = openDatabase(config.databaseUrl);
  const listener = new ChangeListener(config.databaseUrl);
  const logger = pino({ level: config.logLevel });
  const parts = { config, db, listener, temporal, logger, telemetry: {} };
  const app = await NestFactory.create(ApiModule.with(parts), new FastifyAdapter(), {
    logger: false,
    abortOnError: false,
  });
  try {
    return describeApi(app, describeWebhooks());
  } finally {
    await temporal.connection.close();
    await db.destroy();
  }
}
