import { setImmediate } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { reasonOf, startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import { runPrepared } from '../database/prepared.js';
import type { Tables } from '../database/tables.js';
import { CallerSecrets } from './caller-secrets.js';
import { held, recordOf, type EndedCall, type FinishedCall } from './call-record.js';

/** A reader of the history first has it written, so this is only the size of a batch. */
const FLUSH_INTERVAL_MS = 200;
const MOST_IN_A_STATEMENT = 100;
/** Longer redaction at once would delay running calls. */
const LONGEST_TURN_MS = 5;
/** A longer queue means that the database is down; older calls are then dropped. */
const MOST_UNWRITTEN = 20_000;
const MOST_CHARACTERS_UNWRITTEN = 32 * 1024 * 1024;

/** SQLSTATE classes of data exceptions and violated constraints: these failures are permanent. */
const REFUSED_VALUE = /^2[23]...$/;

/** Writes ended calls in batches a moment later: never while the call runs. */
export class CallWriter {
  readonly #task: RecurringTask;
  #unwritten: EndedCall[] = [];
  #unwrittenCharacters = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Kysely<Tables>,
    private readonly logger: Logger,
    private readonly secrets: CallerSecrets,
  ) {
    this.#task = startRecurringTask('call log', { idleMs: FLUSH_INTERVAL_MS }, logger, async () => {
      await this.flush();
      return 'nothing';
    });
  }

  /** From here on, only the part of the request's body that can be kept is held. */
  add({ exchange, ...finished }: FinishedCall): void {
    const holding = held(exchange);
    const isHeld = this.#unwrittenCharacters + holding.size <= MOST_CHARACTERS_UNWRITTEN;
    const ended = { ...finished, ...(isHeld ? holding : { exchange: null, size: 0 }) };
    this.#unwrittenCharacters += ended.size;
    this.#unwritten.push(ended);
    if (this.#unwritten.length > MOST_UNWRITTEN) this.#take(this.#unwritten.length - MOST_UNWRITTEN);
  }

  /** Resolves when every call that had ended before is written; a failure leaves them for the next time. */
  flush(): Promise<void> {
    const written = this.#writing.catch(() => undefined).then(() => this.#writeAll());
    this.#writing = written;
    return written;
  }

  async close(): Promise<void> {
    await this.#task.stop();
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const batch = this.#take(MOST_IN_A_STATEMENT);
      try {
        await this.#write(batch);
      } catch (error) {
        for (const { size } of batch) this.#unwrittenCharacters += size;
        this.#unwritten = [...batch, ...this.#unwritten];
        throw error;
      }
    }
  }

  #take(count: number): EndedCall[] {
    const taken = this.#unwritten.splice(0, count);
    for (const { size } of taken) this.#unwrittenCharacters -= size;
    return taken;
  }

  /**
   * A batch that the database refuses for its content is tried row by row, and bad rows are dropped: the others must
   * not wait for ever.
   */
  async #write(batch: readonly EndedCall[]): Promise<void> {
    const records = await this.#recordsOf(batch);
    try {
      await this.#insert(records);
    } catch (error) {
      if (!REFUSED_VALUE.test(reasonOf(error))) throw error;
      if (records.length > 1) for (const ended of batch) await this.#write([ended]);
      else this.logger.warn({ call: batch[0]?.call.id }, 'a call cannot be written to the history');
    }
  }

  async #recordsOf(batch: readonly EndedCall[]): Promise<object[]> {
    const records: object[] = [];
    let turnEndsAt = performance.now() + LONGEST_TURN_MS;
    for (const ended of batch) {
      records.push(recordOf(ended, this.secrets.of(ended.call.clientId)));
      if (performance.now() < turnEndsAt) continue;
      await setImmediate();
      turnEndsAt = performance.now() + LONGEST_TURN_MS;
    }
    return records;
  }

  /**
   * One statement with one parameter, whatever the number of calls. Its commit does not wait for the disk: the history
   * acknowledges nothing, and calls that do must not wait for it.
   */
  async #insert(records: readonly object[]): Promise<void> {
    const insertion = sql`
      WITH unhurried AS (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO calls (id, client_id, operation, method, path, query, request_id, transaction_id, status, fault,
        started_at, finished_at, request_headers, request_body, request_body_note, response_headers, response_body,
        response_body_note, account_id, environment)
      SELECT record.id, record.client_id, operation, method, path, query, request_id, transaction_id, status, fault,
        started_at, finished_at, request_headers, request_body, request_body_note, response_headers, response_body,
        response_body_note, applications.account_id, accounts.environment
      FROM json_populate_recordset(NULL::calls, ${JSON.stringify(records)}::json) AS record
      CROSS JOIN unhurried
      LEFT JOIN applications ON applications.client_id = record.client_id
      LEFT JOIN accounts ON accounts.id = applications.account_id
      ON CONFLICT (id) DO NOTHING`;
    await runPrepared(this.database, insertion);
  }
}
