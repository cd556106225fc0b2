import { z } from 'zod';
import { engineEnvironment, milliseconds, portVariable } from '../../../libs/configuration/src/engine.js';
import { jsonVariable } from '../../../libs/configuration/src/environment.js';
import type { ApiConfig } from './api-config.js';

const apiKey = z.strictObject({
  id: z.string().min(1).max(64),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be the hex SHA-256 of the key'),
  environment: z.string(),
  application: z.string(),
});

/** Variables of the API process. */
export const apiEnvironment = engineEnvironment.extend({
  PORT: portVariable(3000),
  HOST: z.string().default('127.0.0.1'),
  API_KEYS: jsonVariable(z.array(apiKey).min(1)),
  TEMPORAL_UI_URL: z.url().optional(),
  CODEC_ENDPOINT_SECRET: z.string().min(24, 'must have at least 24 characters').optional(),
  ANSWER_WITHIN_MS: milliseconds(10_000),
  PAYER_WAIT_MS: milliseconds(8_000),
  FIRST_POLL_MS: milliseconds(30_000),
  LONGEST_POLL_MS: milliseconds(3_600_000),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
});

export function apiConfigOf(env: z.output<typeof apiEnvironment>): ApiConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    temporal: {
      address: env.TEMPORAL_ADDRESS,
      namespace: env.TEMPORAL_NAMESPACE,
      taskQueue: env.TEMPORAL_TASK_QUEUE,
      deadlineMs: env.TEMPORAL_DEADLINE_MS,
      ...(env.TEMPORAL_UI_URL !== undefined && { uiUrl: env.TEMPORAL_UI_URL.replace(/\/+$/, '') }),
    },
    applications: env.PROVIDER_APPLICATIONS,
    apiKeys: env.API_KEYS,
    codecKeys: env.CODEC_KEYS,
    ...(env.CODEC_ENDPOINT_SECRET !== undefined && { codecEndpointSecret: env.CODEC_ENDPOINT_SECRET }),
    patience: {
      outcomeHorizonMs: env.OUTCOME_HORIZON_MS,
      firstLookMs: 500,
      firstRetryMs: 500,
      firstPollMs: env.FIRST_POLL_MS,
      longestPollMs: env.LONGEST_POLL_MS,
      maxAttempts: 6,
      // Reads that fail all through the horizon and four times as long again: then a person is asked.
      reviewAfterMs: 5 * env.OUTCOME_HORIZON_MS,
    },
    answerWithinMs: env.ANSWER_WITHIN_MS,
    payerWaitMs: env.PAYER_WAIT_MS,
    logLevel: env.LOG_LEVEL,
  };
}
