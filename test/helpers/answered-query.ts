import { status } from '@grpc/grpc-js';
import { type QueryDefinition, ServiceError, type WorkflowHandle } from '@temporalio/client';

/**
 * The answer of a run to a query. The server gives a query to a worker for ten seconds at most. If the machine was
 * slower, no worker has seen it, and it is asked again, a minute long.
 */
export async function answeredQuery<T>(
  handle: Pick<WorkflowHandle, 'query'>,
  query: QueryDefinition<T>,
): Promise<T> {
  for (let times = 1; ; times += 1) {
    try {
      return await handle.query(query);
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: number } };
      const isUnseen = error instanceof ServiceError && cause?.code === status.DEADLINE_EXCEEDED;
      if (!isUnseen || times === 6) throw error;
    }
  }
}
