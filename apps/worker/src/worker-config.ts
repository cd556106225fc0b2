import { z } from 'zod';
import { engineEnvironment, milliseconds, portVariable } from '../../../libs/configuration/src/engine.js';

/** Of a Schedule, in milliseconds: Temporal counts in whole seconds. */
const interval = (fallback: number) => z.coerce.number().int().min(1_000).default(fallback);

export const workerEnvironment = engineEnvironment.extend({
  HEALTH_PORT: portVariable(3001),
  HEALTH_HOST: z.string().default('127.0.0.1'),
  /** Path of another bundle than the one made at build. */
  WORKFLOW_BUNDLE: z.string().optional(),
  /** Together with the writing of rows after it less than the ten seconds that containers are given. */
  SHUTDOWN_GRACE_MS: milliseconds(5_000),
  WEBHOOK_SWEEP_INTERVAL_MS: interval(10_000),
  MAX_CONCURRENT_STEPS: z.coerce.number().int().positive().default(50),
});

export type WorkerConfig = z.output<typeof workerEnvironment>;
