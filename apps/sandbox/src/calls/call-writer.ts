import { setImmediate } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { reasonOf, startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import type { Tables } from '../database/tables.js';
import { CallerSecrets } from './caller-secrets.js';
import { held, recordOf, type EndedCall, type FinishedCall } from './call-record.js';

/** Whoever reads the history has it written first, so this is but the size of a batch. */
const FLUSH_INTERVAL_MS = 200;
const MOST_IN_A_STATEMENT = 100;
/** Redacting for longer at once would hold up the calls that run. */
const LONGEST_TURN_MS = 5;
/** More than this waiting to be written means that the database is away; older calls are then forgotten. */
const MOST_UNWRITTEN = 20_000;
const MOST_CHARACTERS_UNWRITTEN = 32 * 1024 * 1024;

/** Of SQLSTATE, the classes of data exceptions and broken constraints: what fails so will always fail. */
const REFUSED_VALUE = /^2[23]...$/;

/** Writes ended calls in batches a moment later: never on a call's own path. */
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
    this.#task = startRecurringTask('call log', FLUSH_INTERVAL_MS, logger, async () => {
      await this.flush();
      return false;
    });
  }

  /** Of the body of its request, only what can be kept is held from here on. */
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

  /** What the database refuses for what is in it is tried alone and given up: the others must not wait for it for ever. */
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
   * One statement of one parameter whatever the number of calls. Its commit does not wait for the disk: the history
   * acknowledges nothing, and calls that do must not wait for it.
   */
  async #insert(records: readonly object[]): Promise<void> {
    await sql`
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
      ON CONFLICT (id) DO NOTHING`.execute(this.database);
  }
}
