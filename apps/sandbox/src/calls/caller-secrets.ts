import type { FinishedCall } from './call-record.js';
import { credentialsIn } from './redaction.js';

const MOST_KNOWN = 1_000;

/**
 * The client secrets that callers have exchanged for tokens since this process started. The database has only their
 * hashes, so this is the only way to recognize such a secret in the wrong place of a later call.
 */
export class CallerSecrets {
  readonly #known = new Map<string, string>();

  learn({ call, status, exchange }: FinishedCall): void {
    if (call.operation !== 'token' || status !== 200 || call.clientId === null) return;
    const { authorization } = exchange.requestHeaders;
    const [, secret] = credentialsIn(
      typeof authorization === 'string' ? authorization : undefined,
      undefined,
    );
    if (secret === undefined) return;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(call.clientId, secret);
  }

  of(clientId: string | null): string[] {
    const secret = clientId === null ? undefined : this.#known.get(clientId);
    return secret === undefined ? [] : [secret];
  }
}
