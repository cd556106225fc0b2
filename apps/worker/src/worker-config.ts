import { existsSync } from 'node:fs';
import { z } from 'zod';
import {
  type Disagreement,
  agreeing,
  engineDisagreements,
  engineEnvironment,
  metricsPort,
  milliseconds,
  portVariable,
} from '#configuration';

/** The interval of a Schedule in milliseconds; Temporal counts in whole seconds. */
const interval = (fallback: number) => milliseconds(fallback, 1_000);

const variables = engineEnvironment.extend({
  HEALTH_PORT: portVariable(3001).describe('Port of `/healthz` and `/readyz`; 0 means any free port'),
  HEALTH_HOST: z.string().default('127.0.0.1').describe('Address of `/healthz` and `/readyz`'),
  WORKER_METRICS_PORT: metricsPort,
  WORKFLOW_BUNDLE: z
    .string()
    .refine(existsSync, 'must be the path of a file')
    .optional()
    .describe('Path of a workflow bundle to use instead of the one from the build'),
  INACTIVE_PATCHES: z
    .string()
    .transform((list) => list.split(',').map((id) => id.trim()))
    .optional()
    .describe(
      'Ids of patches in workflow code, comma-separated, that this worker does not begin; where another worker has begun one, it follows',
    ),
  TEMPORAL_DEPLOYMENT_NAME: z
    .string()
    .optional()
    .describe(
      'Worker deployment of Temporal to which this worker belongs, with `TEMPORAL_WORKER_BUILD_ID`; temporal-worker-controller sets both',
    ),
  TEMPORAL_WORKER_BUILD_ID: z
    .string()
    .optional()
    .describe(
      'Version of that deployment: the worker gets tasks only while it is the current or the ramping one; open runs move along',
    ),
  SHUTDOWN_GRACE_MS: milliseconds(5_000).describe(
    'How long running calls may take to end after SIGTERM; together with the rows written after it, it must be less than the ten seconds of a container',
  ),
  WEBHOOK_SWEEP_INTERVAL_MS: interval(10_000).describe(
    'How often events that were not dispatched are tried again',
  ),
  RECONCILE_INTERVAL_MS: interval(60_000).describe(
    'How often the provider’s records are searched and compared',
  ),
  RECONCILE_OVERLAP_MS: milliseconds(120_000).describe(
    'How far the search stays behind the present; must be longer than the provider’s longest transition, the lag of its reads and the difference of the clocks',
  ),
  RECONCILE_LOST_AFTER_MS: milliseconds(60_000).describe(
    'After this time without a change, the run of a payment is checked; must be longer than a call to the provider may take',
  ),
  WEBHOOK_REPAIR_INTERVAL_MS: interval(300_000).describe(
    'How often our webhook at the provider is checked and repaired',
  ),
  MAX_CONCURRENT_STEPS: z.coerce
    .number()
    .int()
    .positive()
    .default(50)
    .describe(
      'Most concurrent calls to providers; with several applications, one gets another place only while it holds fewer than are free',
    ),
});

const deploymentVersion = ['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'] as const;

/** Variables of the worker process. */
export const workerEnvironment = agreeing(variables, (read) => [
  ...engineDisagreements(read),
  ...versionDisagreements(read),
]);

/** With one of them only, the worker would belong to no version, and take the tasks of all. */
function versionDisagreements(read: Partial<z.output<typeof variables>>): Disagreement[] {
  const missing = deploymentVersion.filter((name) => read[name] === undefined);
  if (missing.length !== 1) return [];
  return [{ path: [...missing], message: `is missing: ${deploymentVersion.join(' and ')} are a pair` }];
}

export type WorkerConfig = z.output<typeof workerEnvironment>;
