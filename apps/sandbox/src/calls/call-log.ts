import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { startRecurringTask, type RecurringTask } from '../clock/recurring-task.js';
import type { Tables } from '../database/tables.js';
import { traitsOf, type Operation } from '../http/operations.js';

export interface Call {
  readonly id: string;
  readonly operation: Operation;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly requestId: string | null;
  readonly startedAt: Date;
  clientId: string | null;
  fault: string | null;
}

interface FinishedCall extends Call {
  readonly status: number;
  readonly finishedAt: Date;
}

/** More than this waiting to be written means that the database is away; older calls are then forgotten. */
const MOST_UNWRITTEN = 20_000;
const FLUSH_INTERVAL_MS = 50;

/**
 * Every call to the interface: those in flight in memory, those that ended in the database. Ended ones are written in
 * batches a moment later, since they prove nothing: what moved money is in the books, committed before its answer.
 * A call that moves money also leaves a log line when it begins and when it ends, at once.
 */
export class CallLog {
  readonly #inFlight = new Map<string, Call>();
  readonly #writer: RecurringTask;
  #unwritten: FinishedCall[] = [];

  constructor(
    private readonly database: Kysely<Tables>,
    private readonly logger: Logger,
  ) {
    this.#writer = startRecurringTask('call log', FLUSH_INTERVAL_MS, logger, async () => {
      await this.flush();
      return false;
    });
  }

  begin(call: Call): void {
    this.#inFlight.set(call.id, call);
  }

  /** Says in the log that the operation is about to run; `begin` came before its fault and its caller were known. */
  logBegin(call: Call): void {
    if (traitsOf(call.operation).movesMoney) this.#logLine('begins', call, {});
  }

  finish(call: Call, status: number, finishedAt: Date): void {
    if (!this.#inFlight.delete(call.id)) return;
    if (traitsOf(call.operation).movesMoney) this.#logLine('ends', call, { status });
    this.#unwritten.push({ ...call, status, finishedAt });
    if (this.#unwritten.length > MOST_UNWRITTEN)
      this.#unwritten.splice(0, this.#unwritten.length - MOST_UNWRITTEN);
  }

  inFlight(): Call[] {
    return [...this.#inFlight.values()];
  }

  /** Writes the ended calls. */
  async flush(): Promise<void> {
    const calls = this.#unwritten;
    if (calls.length === 0) return;
    this.#unwritten = [];
    try {
      await this.#write(calls);
    } catch (error) {
      this.#unwritten = [...calls, ...this.#unwritten];
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#writer.stop();
    await this.flush();
  }

  /** One statement of one parameter whatever the number of calls. */
  async #write(calls: readonly FinishedCall[]): Promise<void> {
    const rows = JSON.stringify(
      calls.map((call) => ({
        id: call.id,
        client_id: call.clientId,
        operation: call.operation,
        method: call.method,
        path: call.path,
        request_id: call.requestId,
        status: call.status,
        fault: call.fault,
        started_at: call.startedAt,
        finished_at: call.finishedAt,
      })),
    );
    await sql`
      INSERT INTO calls (id, client_id, operation, method, path, request_id, status, fault, started_at, finished_at)
      SELECT id, client_id, operation, method, path, request_id, status, fault, started_at, finished_at
      FROM json_populate_recordset(NULL::calls, ${rows}::json)
      ON CONFLICT (id) DO NOTHING`.execute(this.database);
  }

  #logLine(moment: 'begins' | 'ends', call: Call, more: object): void {
    const { id, operation, path, requestId, clientId, fault } = call;
    this.logger.info(
      { call: id, operation, path, requestId, clientId, fault, ...more },
      `money call ${moment}`,
    );
  }
}
