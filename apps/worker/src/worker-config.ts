import { existsSync } from 'node:fs';
import { z } from 'zod';
import { agreeing, engineDisagreements, engineEnvironment, milliseconds, portVariable } from '#configuration';

/** Of a Schedule, in milliseconds: Temporal counts in whole seconds. */
const interval = (fallback: number) => milliseconds(fallback, 1_000);

const variables = engineEnvironment.extend({
  HEALTH_PORT: portVariable(3001).describe('Where `/healthz` and `/readyz` answer; 0 takes a free port'),
  HEALTH_HOST: z.string().default('127.0.0.1').describe('Where they answer'),
  WORKFLOW_BUNDLE: z
    .string()
    .refine(existsSync, 'must be the path of a file')
    .optional()
    .describe('Path of another workflow bundle than the one made at build'),
  SHUTDOWN_GRACE_MS: milliseconds(5_000).describe(
    'How long calls in flight may take to end on SIGTERM; with the rows written after it, less than the ten seconds that containers are given',
  ),
  WEBHOOK_SWEEP_INTERVAL_MS: interval(10_000).describe('How often events that were left are dispatched'),
  RECONCILE_INTERVAL_MS: interval(60_000).describe(
    'How often the provider’s records are searched and compared',
  ),
  RECONCILE_OVERLAP_MS: milliseconds(120_000).describe(
    'How far the search stays behind the present: longer than the provider’s longest transition, the lag of its reads and the difference of the clocks',
  ),
  RECONCILE_LOST_AFTER_MS: milliseconds(60_000).describe(
    'A payment that rests so long has its run asked after; longer than a call to the provider may take',
  ),
  WEBHOOK_REPAIR_INTERVAL_MS: interval(300_000).describe(
    'How often our webhook at the provider is looked after',
  ),
  MAX_CONCURRENT_STEPS: z.coerce
    .number()
    .int()
    .positive()
    .default(50)
    .describe('Calls to the provider at a time'),
});

/** Variables of the worker process. */
export const workerEnvironment = agreeing(variables, engineDisagreements);

export type WorkerConfig = z.output<typeof workerEnvironment>;
