import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.js';
import { traitsOf } from '../http/operations.js';
import type { Call } from './call.js';
import type { Exchange } from './call-record.js';
import { CallWriter } from './call-writer.js';
import { CallerSecrets } from './caller-secrets.js';
import { Redaction } from './redaction.js';

/**
 * Every call to the interface: those under way in memory, those that ended in the database. Ended ones are written a
 * moment later, because nothing depends on them: movements are in the books, committed before the answer. A call that
 * moves money also writes a log line at once when it begins and when it ends.
 */
export class CallLog {
  readonly #inFlight = new Map<string, Call>();
  readonly #secrets = new CallerSecrets();
  readonly #writer: CallWriter;

  constructor(
    database: Kysely<Tables>,
    private readonly logger: Logger,
  ) {
    this.#writer = new CallWriter(database, logger, this.#secrets);
  }

  begin(call: Call): void {
    this.#inFlight.set(call.id, call);
  }

  /** Logs that the operation is about to run; `begin` came before its fault and its caller were known. */
  logBegin(call: Call): void {
    if (traitsOf(call.operation).movesMoney) this.#logLine('begins', call, {});
  }

  finish(call: Call, status: number, finishedAt: Date, exchange: Exchange): void {
    if (!this.#inFlight.delete(call.id)) return;
    if (traitsOf(call.operation).movesMoney) this.#logLine('ends', call, { status });
    const ended = { call, status, finishedAt, exchange };
    this.#secrets.learn(ended);
    this.#writer.add(ended);
  }

  /** In the form that may be shown. */
  inFlight(): Call[] {
    return [...this.#inFlight.values()].map((call) => ({ ...call, ...this.#redacted(call) }));
  }

  /** Resolves when the calls that have ended are in the database. */
  flush(): Promise<void> {
    return this.#writer.flush();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #logLine(moment: 'begins' | 'ends', call: Call, more: object): void {
    const { id, operation, clientId, fault } = call;
    const { path, requestId } = this.#redacted(call);
    this.logger.info(
      { call: id, operation, path, requestId, clientId, fault, ...more },
      `money call ${moment}`,
    );
  }

  /** No more than the history keeps: the keys of a caller are redacted here, too. */
  #redacted(call: Call) {
    const redaction = new Redaction(this.#secrets.of(call.clientId));
    return {
      path: redaction.path(call.path),
      requestId: call.requestId === null ? null : redaction.text(call.requestId),
    };
  }
}
