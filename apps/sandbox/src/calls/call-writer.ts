import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import type { Tables } from '../database/tables.js';
import { CallerSecrets } from './caller-secrets.js';
import { recordOf, sizeOf, type EndedCall } from './call-record.js';

/** Whoever reads the history has it written first, so this is but the size of a batch. */
const FLUSH_INTERVAL_MS = 200;
/** Redacting and writing more at once would hold up the calls that run. */
const MOST_IN_A_STATEMENT = 100;
/** More than this waiting to be written means that the database is away; older calls are then forgotten. */
const MOST_UNWRITTEN = 20_000;
const MOST_CHARACTERS_UNWRITTEN = 32 * 1024 * 1024;

/** Writes ended calls in batches a moment later: never on a call's own path. */
export class CallWriter {
  readonly #task: RecurringTask;
  readonly #secrets = new CallerSecrets();
  #unwritten: EndedCall[] = [];
  #unwrittenCharacters = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Kysely<Tables>,
    logger: Logger,
  ) {
    this.#task = startRecurringTask('call log', FLUSH_INTERVAL_MS, logger, async () => {
      await this.flush();
      return false;
    });
  }

  add(ended: Omit<EndedCall, 'keepsBodies'>): void {
    this.#secrets.learn(ended);
    const size = sizeOf(ended.exchange);
    const keepsBodies = this.#unwrittenCharacters + size <= MOST_CHARACTERS_UNWRITTEN;
    const exchange = keepsBodies
      ? ended.exchange
      : { ...ended.exchange, requestBody: undefined, responseBody: null };
    if (keepsBodies) this.#unwrittenCharacters += size;
    this.#unwritten.push({ ...ended, exchange, keepsBodies });
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
        for (const { exchange, keepsBodies } of batch)
          if (keepsBodies) this.#unwrittenCharacters += sizeOf(exchange);
        this.#unwritten = [...batch, ...this.#unwritten];
        throw error;
      }
    }
  }

  #take(count: number): EndedCall[] {
    const taken = this.#unwritten.splice(0, count);
    for (const { exchange, keepsBodies } of taken)
      if (keepsBodies) this.#unwrittenCharacters -= sizeOf(exchange);
    return taken;
  }

  /** One statement of one parameter whatever the number of calls. */
  async #write(batch: readonly EndedCall[]): Promise<void> {
    const records = JSON.stringify(
      batch.map((ended) => recordOf(ended, this.#secrets.of(ended.call.clientId))),
    );
    await sql`
      INSERT INTO calls (id, client_id, operation, method, path, query, request_id, transaction_id, status, fault,
        started_at, finished_at, request_headers, request_body, request_body_note, response_headers, response_body,
        response_body_note, account_id, environment)
      SELECT record.id, record.client_id, operation, method, path, query, request_id, transaction_id, status, fault,
        started_at, finished_at, request_headers, request_body, request_body_note, response_headers, response_body,
        response_body_note, applications.account_id, accounts.environment
      FROM json_populate_recordset(NULL::calls, ${records}::json) AS record
      LEFT JOIN applications ON applications.client_id = record.client_id
      LEFT JOIN accounts ON accounts.id = applications.account_id
      ON CONFLICT (id) DO NOTHING`.execute(this.database);
  }
}
