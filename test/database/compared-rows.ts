import { sql } from 'kysely';
import { allOrNothing } from '#proof/simulator/rows/database.js';
import * as simulatedTransitions from '#proof/simulator/rows/transitions.js';
import { Rows } from '#proof/simulator/rows/rows.js';
import { acceptCommand, listAttempts } from '#database/commands';
import type { Database } from '#database/connection';
import type { PaymentRow } from '#database/schema';
import { listTimeline } from '#database/transitions';
import * as transitions from '#database/transitions/write-transition.js';
import type { PaymentIdentity } from '#workflows/contract';
import { payment } from '../lifecycle/payment/sample-payments.js';
import { captureCommand, owner, storePayment } from './engine-database.js';

interface TaskColumns {
  readonly task_started_at: Date | null;
  readonly task_version: number | null;
}

/** The rows of a payment, as PostgreSQL has them or as the simulator does. */
export interface Side {
  readonly db: unknown;
  readonly queries: Pick<typeof transitions, 'beginAttempt' | 'writeAttemptOutcome' | 'writeTransition'>;
  /** Ids of the attempts that were begun, in order. */
  readonly begun: number[];
  shown(): Promise<unknown>;
}

export async function realRows(db: Database, identity: PaymentIdentity): Promise<Side> {
  const { paymentId } = identity;
  await storePayment(db, identity);
  for (const name of ['asked', 'asked-too'])
    await acceptCommand(db, captureCommand(identity, { id: `${paymentId}-${name}` }));
  await acceptCommand(db, captureCommand(await storePayment(db), { id: `${paymentId}-foreign` }));
  return {
    db,
    queries: transitions,
    begun: [],
    shown: async () => {
      const { rows } = await sql<PaymentRow & TaskColumns>`
        select * from payments where id = ${paymentId}`.execute(db);
      const [row] = rows;
      const commands = await db
        .selectFrom('commands')
        .selectAll()
        .where('id', 'like', `${paymentId}%`)
        .orderBy('id')
        .execute();
      const attempts = await listAttempts(db, paymentId);
      const lines = await listTimeline(db, paymentId);
      const parts = await db
        .selectFrom('resources')
        .select('resource_id')
        .where('subject_id', '=', paymentId)
        .orderBy('resource_id')
        .execute();
      const task = { startedAt: row?.task_started_at?.getTime(), version: row?.task_version ?? undefined };
      return shownAs(row, {
        task,
        isWaiting: row ? row.waits_since !== null : false,
        commands,
        attempts,
        timeline: lines.map(({ version, to_status: to, event, detail }) => ({ version, to, event, detail })),
        resources: parts.map((part) => part.resource_id),
      });
    },
  };
}

/** The simulator's rows of a payment that was ordered. */
export function orderedInModel({ paymentId: id }: PaymentIdentity): Rows {
  const rows = new Rows(() => Date.now());
  const state = payment('creating');
  const order = { id: `${id}:order`, kind: 'create', subjectId: id } as const;
  rows.order({ id, kind: 'payment', ...owner, status: state.status, state, version: 0 }, order);
  for (const name of ['asked', 'asked-too'])
    rows.commands.accept({ id: `${id}-${name}`, kind: 'capture', subjectId: id });
  rows.commands.accept({ id: `${id}-foreign`, kind: 'capture', subjectId: 'another' });
  return rows;
}

/** The database that the simulator's queries are given, without its delays and failures. */
export function modelDatabase(rows: Rows): never {
  const db = {
    run: async <T>(statement: (rows: Rows) => T): Promise<T> => statement(rows),
    transaction: () => ({
      execute: async <T>(work: (trx: unknown) => Promise<T>): Promise<T> =>
        await allOrNothing(rows, async () => await work(db)),
    }),
  };
  return db as never;
}

export function modelRows(identity: PaymentIdentity): Side {
  const { paymentId: id } = identity;
  const rows = orderedInModel(identity);
  return {
    db: modelDatabase(rows),
    queries: simulatedTransitions,
    begun: [],
    shown: async () => {
      const commands = [...rows.commands.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const lines = [...(rows.timelines.get(id)?.values() ?? [])]
        .filter(({ isSuperseded }) => isSuperseded !== true)
        .toSorted((one, other) => one.version - other.version);
      const row = rows.subjects.get(id);
      const task = { startedAt: row?.taskStartedAt, version: row?.taskVersion };
      return shownAs(row, {
        task,
        isWaiting: row?.waitsSince !== undefined,
        commands,
        attempts: rows.attempts,
        timeline: lines.map(({ version, to, event, detail = null }) => ({ version, to, event, detail })),
        resources: [...rows.resources.keys()].toSorted(),
      });
    },
  };
}

interface Shown {
  readonly task: { readonly startedAt: number | undefined; readonly version: number | undefined };
  readonly isWaiting: boolean;
  readonly commands: readonly { readonly id: string; readonly status: string; readonly result: unknown }[];
  readonly attempts: readonly {
    readonly step_name: string;
    readonly attempt_number: number;
    readonly outcome: unknown;
    readonly event: unknown;
  }[];
  readonly timeline: readonly unknown[];
  readonly resources: readonly string[];
}

function shownAs(
  row: { readonly status: string; readonly version: number; readonly state: unknown } | undefined,
  { commands, attempts, ...others }: Shown,
): unknown {
  return {
    row: row && {
      status: row.status,
      version: row.version,
      state: JSON.parse(JSON.stringify(row.state)) as unknown,
    },
    commands: commands.map(({ id, status, result }) => ({ id, status, result })),
    attempts: attempts.map(({ step_name, attempt_number, outcome, event }) => ({
      step_name,
      attempt_number,
      outcome,
      event,
    })),
    ...others,
  };
}
