import { DefaultLogger, type LogLevel, type LogMetadata, type Logger } from '@temporalio/worker';
import type { Logger as PinoLogger } from 'pino';
import { subjectOfRun } from './subject-of-run.js';

const levels = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
} as const satisfies Record<LogLevel, string>;

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
  'traceId',
  'requestId',
  // The name in the SDK's native part.
  'run_id',
] as const;

/**
 * Writes the SDK's log lines to the worker's log. By default the SDK prints complete errors with stack and details, and
 * the detail of a PostgreSQL error quotes row values. Here only the name and code of an error are logged.
 */
export function sdkLogger(log: PinoLogger): Logger {
  return new DefaultLogger('INFO', ({ level, message, meta }) => log[levels[level]](fieldsOf(meta), message));
}

function fieldsOf(meta: LogMetadata | undefined): Record<string, unknown> {
  const kept = keptFields.flatMap((name) => {
    const value: unknown = meta?.[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value] as const] : [];
  });
  const { workflowId } = meta ?? {};
  return {
    ...(typeof workflowId === 'string' && subjectOfRun(workflowId)),
    ...Object.fromEntries(kept),
    ...nameOf(meta?.['error']),
    ...ruleIn(meta?.['failure']),
  };
}

/**
 * The rule code in a message of the SDK's native part, which says why a workflow task failed. The rest of the message
 * may quote anything.
 */
function ruleIn(failure: unknown): { rule?: string } {
  const [, rule] = typeof failure === 'string' ? (/\[(TMPRL\d{1,6})\]/.exec(failure) ?? []) : [];
  return rule === undefined ? {} : { rule };
}

function nameOf(error: unknown): { error?: string; code?: string } {
  if (!(error instanceof Error)) return {};
  const { code } = error as { code?: unknown };
  return { error: error.name, ...(typeof code === 'string' && /^\w{1,40}$/.test(code) && { code }) };
}
