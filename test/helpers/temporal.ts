import { Connection } from '@temporalio/client';
import { inject } from 'vitest';

/** Tests that run at the same time keep the Temporal server busy. A slow answer does not mean that it is away. */
export const temporalDeadlineMs = 60_000;

export async function connectToTemporal(address: string = inject('temporalAddress')): Promise<Connection> {
  return await Connection.connect({ address, connectTimeout: temporalDeadlineMs });
}
