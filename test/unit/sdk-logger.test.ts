import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';
import { sdkLogger } from '#worker/process/sdk-logger.js';

function logged(speak: (logger: ReturnType<typeof sdkLogger>) => void): string {
  const lines: string[] = [];
  speak(sdkLogger(pino({ level: 'trace' }, { write: (line) => lines.push(line) })));
  return lines.join('');
}

describe('what the Temporal SDK writes to the log of a worker', () => {
  const secret = 'anna@example.com';
  const error = Object.assign(new RangeError(`no ${secret}`), { code: '23505', detail: `Key (${secret})` });

  it('names a failed activity, its run and the code of its error', () => {
    const line = logged((logger) =>
      logger.warn('Activity failed', { activityType: 'capture', workflowId: 'payment/1', attempt: 3, error }),
    );
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      msg: 'Activity failed',
      activityType: 'capture',
      workflowId: 'payment/1',
      attempt: 3,
      error: 'RangeError',
      code: '23505',
    });
  });

  it('names the payment of a run, and no subject of a run that has none', () => {
    const [run, round] = ['payment/sandbox/shop/pay_1', 'reconciliation/sandbox/shop/payments'].map(
      (workflowId) =>
        JSON.parse(logged((logger) => logger.warn('Failing workflow task', { workflowId }))) as object,
    );
    expect(run).toMatchObject({ subject: 'pay_1', workflowId: 'payment/sandbox/shop/pay_1' });
    expect(round).not.toHaveProperty('subject');
  });

  it('names the rule that a failed workflow task has broken, and its run, and quotes nothing', () => {
    const failure = `Failure { message: "[TMPRL1100] Nondeterminism error: ${secret}" }`;
    const line = logged((logger) => logger.warn('Failing workflow task', { run_id: 'run-1', failure }));
    expect(JSON.parse(line)).toMatchObject({ rule: 'TMPRL1100', run_id: 'run-1' });
    expect(line).not.toContain(secret);
    // What the runbook of EngineWorkflowTasksFail tells operators to look for.
    const runbook = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8').split(
      '### EngineWorkflowTasksFail',
    )[1];
    expect(/Look for `(\w+)`/.exec(runbook ?? '')?.[1]).toBe('TMPRL1100');
  });

  it('contains no message, detail or stack of an error', () => {
    const line = logged((logger) => logger.error('Activity failed', { error, cause: error, input: secret }));
    expect(line).not.toContain(secret);
    expect(line).not.toContain('sdk-logger.test');
  });
});
