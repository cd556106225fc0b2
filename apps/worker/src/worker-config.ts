import { existsSync } from 'node:fs';
import { z } from 'zod';
import { agreeing, engineDisagreements } from '../../../libs/configuration/src/agreement.js';
import { engineEnvironment, milliseconds, portVariable } from '../../../libs/configuration/src/engine.js';

/** Of a Schedule, in milliseconds: Temporal counts in whole seconds. */
const interval = (fallback: number) => z.coerce.number().int().min(1_000).default(fallback);

const variables = engineEnvironment.extend({
  HEALTH_PORT: portVariable(3001),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  /** Path of another bundle than the one made at build. */
  WORKFLOW_BUNDLE: z.string().refine(existsSync, 'must be the path of a file').optional(),
  /** Together with the writing of rows after it less than the ten seconds that containers are given. */
  SHUTDOWN_GRACE_MS: milliseconds(5_000),
  WEBHOOK_SWEEP_INTERVAL_MS: interval(10_000),
  RECONCILE_INTERVAL_MS: interval(60_000),
  /** Longer than the provider's longest transition, the lag of its reads, and the difference of the clocks. */
  RECONCILE_OVERLAP_MS: milliseconds(120_000),
  /** Longer than a call to the provider may take: a payment that rests for so long, and a run that is gone, are asked after. */
  RECONCILE_LOST_AFTER_MS: milliseconds(60_000),
  WEBHOOK_REPAIR_INTERVAL_MS: interval(300_000),
  MAX_CONCURRENT_STEPS: z.coerce.number().int().positive().default(50),
});

/** Variables of the worker process. */
export const workerEnvironment = agreeing(variables, engineDisagreements);

export type WorkerConfig = z.output<typeof workerEnvironment>;
