import type { NewCommand } from '#database/commands';
import type { Caller } from '../auth/api-keys.js';

type Asked = Pick<NewCommand, 'id' | 'idempotencyKey' | 'bodyHash' | 'kind' | 'subjectId' | 'parameters'>;

/** The row of a caller's command. */
export function askedCommand(caller: Caller, asked: Asked): NewCommand {
  const { environment, application } = caller;
  return { ...asked, environment, application, requestedBy: requesterOf(caller) };
}

/** The caller's name in rows. */
export function requesterOf({ keyId, requestedBy }: Pick<Caller, 'keyId' | 'requestedBy'>): string {
  return requestedBy ?? `api-key:${keyId}`;
}
