import { DefaultLogger, type LogLevel, type LogMetadata, type Logger } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

/** Names and counts. */
const keptFields = [
  'taskQueue',
  'state',
  'workflowType',
  'workflowId',
  'workflowRunId',
  'activityType',
  'activityId',
  'attempt',
  'durationMs',
  // As the SDK's native part calls it.
  'run_id',
] as const;

/**
 * Lets the SDK speak through the worker's log. Left to itself it prints errors whole, with their stack and whatever
 * their driver has added: the detail of a PostgreSQL error quotes values of rows. Here an error is its name and code.
 */
export function sdkLogger(log: PinoLogger): Logger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => log[levels[level]](fieldsOf(meta), message));
}

function fieldsOf(meta: LogMetadata | undefined): Record<string, unknown> {
  const kept = keptFields.flatMap((name) => {
    const value: unknown = meta?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(kept), ...nameOf(meta?.['error']), ...ruleIn(meta?.['failure']) };
}

/** Of the SDK's native part, which tells by it why a workflow task failed; the rest of what it says may quote anything. */
function ruleIn(failure: unknown): { rule?: string } {
  const [, rule] = typeof failure === 'string' ? (/\[(TMPRL\d{1,6})\]/.exec(failure) ?? []) : [];
  return rule === undefined ? {} : { rule };
}

function nameOf(error: unknown): { error?: string; code?: string } {
  if (!(error instanceof Error)) return {};
  const { code } = error as { code?: unknown };
  return { error: error.name, ...(typeof code === 'string' && /^\w{1,40}$/.test(code) && { code }) };
}
