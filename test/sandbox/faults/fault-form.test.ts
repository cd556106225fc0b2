import { describe, expect, it } from 'vitest';
import { FAULT_KINDS } from '#sandbox/dashboard/fault-fields.js';
import { CLOCK_OPERATIONS, OPERATION_NAMES } from '#sandbox/http/operations.js';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';

const sandbox = forAllTests(() => SandboxFixture.start());

/** Those of calls: a delivery belongs to no operation. */
const KINDS = [...FAULT_KINDS.keys()].filter((kind) => !/_deliver(y|ies)$/.test(kind));

describe('the form of a kind offers exactly the operations that it is accepted for', () => {
  const REQUIRED: Readonly<Record<string, object>> = {
    status: { status: 500 },
    delay: { delayMs: 1 },
    reshape: { remove: ['state'] },
    stale_read: { lagMs: 1_000 },
  };

  it.each(KINDS)('%s', async (kind) => {
    const accepted: string[] = ['*'];
    for (const operation of [...OPERATION_NAMES, ...CLOCK_OPERATIONS]) {
      const fault = { kind, ...REQUIRED[kind], operation, clientId: 'nobody' };
      const { status } = await sandbox.request('POST', '/admin/faults', fault);
      if (status === 201) accepted.push(operation);
    }
    const page: string = (await sandbox.request('GET', `/dashboard/faults/new?kind=${kind}`)).body;
    const select = /<select[^>]*name="operation"[^]*?<\/select>/.exec(page)?.[0] ?? '';
    expect([...select.matchAll(/<option[^>]*value="([^"]*)"/g)].map(([, value]) => value)).toEqual(accepted);
  });
});
