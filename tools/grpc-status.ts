import { isGrpcServiceError } from '@temporalio/client';

const codes = { notFound: 5, alreadyExists: 6 } as const;

/** Whether Temporal has answered a call with this gRPC status. */
export function hasStatus(error: unknown, status: keyof typeof codes): boolean {
  return isGrpcServiceError(error) && (error.code as number) === codes[status];
}
