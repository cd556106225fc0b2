import { Connection } from '@temporalio/client';
import { inject } from 'vitest';

/** The run's own tests keep its Temporal server busy: that is not "away". */
export const temporalDeadlineMs = 60_000;

export async function connectToTemporal(address: string = inject('temporalAddress')): Promise<Connection> {
  return await Connection.connect({ address, connectTimeout: temporalDeadlineMs });
}
