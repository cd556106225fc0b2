import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openTemporalClient } from '#runs';

it('a call that is to be repeated when the connection is closed fails, and the process continues', async () => {
  const client = openTemporalClient({
    // Nothing listens on the discard port.
    address: '127.0.0.1:9',
    namespace: 'default',
    codecKeys: { current: 'test', keys: new Map([['test', randomBytes(32)]]) },
    caller: 'api',
  });
  const call = client.connection.withDeadline(Date.now() + 60_000, () =>
    client.connection.workflowService.getSystemInfo({}),
  );
  const end = expect(call).rejects.toThrow();
  // Its first try has failed, and the next comes due after 100 ms at the earliest.
  await wait(50);
  await client.connection.close();
  await end;
});
