import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TelemetryOptions } from '@temporalio/worker';

/** The SDK serves its own metrics on loopback; ours contain them. It needs a port, so a free one is looked for. */
export async function findAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const closed = once(server.close(), 'close');
  await closed;
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

export function sdkMetricsAt(bindAddress: string): NonNullable<TelemetryOptions['metrics']> {
  // Names and units as Prometheus has them.
  return {
    prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
  };
}
