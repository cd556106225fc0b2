import { type Client, ServiceError, isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { TemporalAwayError } from './temporal-away-error.js';

/**
 * Bounds a call to Temporal.
 *
 * @param deadlineMs how long it may take before Temporal counts as away, in milliseconds.
 * @throws {TemporalAwayError} if it is not certain whether the call took effect.
 */
export async function callWithin<T>(client: Client, deadlineMs: number, call: () => Promise<T>): Promise<T> {
  try {
    return await client.connection.withDeadline(Date.now() + deadlineMs, call);
  } catch (error) {
    const grpc = error instanceof ServiceError ? error.cause : error;
    if (isGrpcServiceError(grpc)) throw new TemporalAwayError(`grpc-${grpc.code}`);
    // An empty server has no namespace for a moment: it is about to be the one that we need.
    if (error instanceof NamespaceNotFoundError) throw new TemporalAwayError('no-namespace');
    throw error;
  }
}
