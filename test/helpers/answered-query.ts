import { status } from '@grpc/grpc-js';
import { type QueryDefinition, ServiceError, type WorkflowHandle } from '@temporalio/client';

/**
 * The answer of a run to a query. The server waits ten seconds at most for a worker that takes the query. On a slow machine
 * no worker may have taken it by then. So the query is sent again, for a minute in all.
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
