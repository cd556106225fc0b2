import type { NewCommand } from '#database/commands';
import type { Caller } from '../auth/api-keys.js';

type Asked = Pick<NewCommand, 'id' | 'idempotencyKey' | 'bodyHash' | 'kind' | 'subjectId' | 'parameters'>;

/** The row of a caller's command. */
export function askedCommand(
  { keyId, environment, application, requestedBy }: Caller,
  asked: Asked,
): NewCommand {
  return { ...asked, environment, application, requestedBy: requestedBy ?? `api-key:${keyId}` };
}
