/** For the log: a message may quote row values or addresses. */
export function nameOfError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
