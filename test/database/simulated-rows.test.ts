import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as simulatedTransitions from '#proof/simulator/rows/transitions.js';
import { Rows } from '#proof/simulator/rows/rows.js';
import { listAttempts, acceptCommand } from '#database/commands';
import { findPayment } from '#database/subjects';
import { listTimeline, type CommandOutcome } from '#database/transitions';
import * as transitions from '#database/transitions/write-transition.js';
import type { PaymentIdentity } from '#workflows/contract';
import { now, payment } from '../lifecycle/payment/sample-payments.js';
import {
  type EngineDatabase,
  captureCommand,
  newAttempt,
  newIdentity,
  openEngineDatabase,
  owner,
  storePayment,
  transition,
} from './engine-database.js';

let engine: EngineDatabase;
beforeAll(async () => {
  engine = await openEngineDatabase();
});
afterAll(async () => await engine.close());

const statuses = [
  'awaiting_approval',
  'authorized',
  'capturing',
  'captured',
  'expired',
  'cancelled',
] as const;
/** The first two were asked for; the others are a policy's. */
const commandNames = ['asked', 'asked-too', 'policy', 'policy-too'] as const;

const written = fc.record({
  status: fc.constantFrom(...statuses),
  version: fc.integer({ min: 0, max: 6 }),
  knownStatus: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  task: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  isTold: fc.boolean(),
  captures: fc.uniqueArray(
    fc.record({
      captureId: fc.constantFrom('CAP-1', 'CAP-2'),
      minor: fc.constant(4_000),
      final: fc.constant(false),
      status: fc.constantFrom('pending' as const, 'completed' as const, 'denied' as const),
      isOnWord: fc.constantFrom(true, false),
    }),
    { selector: ({ captureId }) => captureId },
  ),
  saleStatus: fc.option(fc.constantFrom('pending' as const, 'completed' as const), { nil: undefined }),
  commands: fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...commandNames),
      kind: fc.constantFrom('capture' as const, 'void' as const),
      status: fc.constantFrom(
        'executing' as const,
        'succeeded' as const,
        'failed' as const,
        'refused' as const,
      ),
    }),
    { selector: ({ name }) => name, maxLength: 3 },
  ),
});

const operation = fc.oneof(
  fc.record({ type: fc.constant('read' as const), written }),
  fc.record({ type: fc.constant('begin' as const), written, step: fc.nat(1), attempt: fc.nat(1) }),
  fc.record({
    type: fc.constant('settle' as const),
    written,
    nth: fc.nat(3),
    outcome: fc.constantFrom('answered' as const, 'unknown' as const, 'undone' as const),
  }),
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

it('simulated rows are written and refused as PostgreSQL writes and refuses them, also when they come late', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const identity = newIdentity();
      const real = await realRows(identity);
      const model = modelRows(identity);
      for (const each of operations) {
        const outcome = await carryOut(identity, each, real);
        expect(await carryOut(identity, each, model)).toEqual(outcome);
      }
      expect(await model.shown()).toEqual(await real.shown());
    }),
    { numRuns: 60 },
  );
});

interface Side {
  readonly db: unknown;
  readonly queries: Pick<typeof transitions, 'beginAttempt' | 'writeAttemptOutcome' | 'writeTransition'>;
  /** Ids of the attempts that were begun, in order. */
  readonly begun: number[];
  shown(): Promise<unknown>;
}

async function carryOut(identity: PaymentIdentity, each: Operation, side: Side): Promise<unknown> {
  const { db, queries, begun } = side;
  const change = transitionOf(identity, each);
  try {
    if (each.type === 'read') return await queries.writeTransition(db as never, change);
    if (each.type === 'begin') {
      const stepName = `${identity.paymentId}-${each.step}`;
      const names = { stepName, requestId: stepName, reference: stepName, attemptNumber: each.attempt };
      const id = await queries.beginAttempt(db as never, change, newAttempt(names));
      if (id !== undefined) begun.push(id);
      return id !== undefined;
    }
    const attemptId = begun[each.nth];
    if (attemptId === undefined) return 'no attempt is open';
    const settlement = {
      attemptId,
      outcome: each.outcome,
      event: { type: 'voidConfirmed' },
      at: new Date(now),
    };
    return await queries.writeAttemptOutcome(db as never, change, settlement);
  } catch (error) {
    const { name, position, reason } = error as { name: string; position?: unknown; reason?: string };
    return { name, position, reason };
  }
}

function transitionOf(identity: PaymentIdentity, { written: { isTold, ...asked } }: Operation) {
  const { authorization: _shared, providerPaymentId: _too, ...own } = payment(asked.status);
  const { saleStatus: status } = asked;
  const collected = {
    // Ids are the payment's own, as the provider's are.
    captures: asked.captures.map((capture) => ({ ...capture, captureId: ownId(capture.captureId) })),
    ...(status !== undefined && { sale: { saleId: ownId('SALE'), minor: 10_000, status } }),
  };
  const commands = asked.commands.map(({ name, kind, status }): CommandOutcome => {
    const commandId = `${identity.paymentId}${name.startsWith('policy') ? ':' : '-'}${name}`;
    return { commandId, kind, status, result: { code: status } };
  });
  const entry = { event: 'told', kind: 'moved', from: 'authorized', to: asked.status, at: now } as const;
  return {
    ...transition(identity, { ...own, ...collected }, asked.version),
    timeline: isTold ? [{ ...entry, version: asked.version }] : [],
    commands,
    knownStatus: asked.knownStatus,
    taskStartedAt: asked.task === undefined ? undefined : now + asked.task,
  };

  function ownId(id: string): string {
    return `${id}-${identity.paymentId}`;
  }
}

async function realRows(identity: PaymentIdentity): Promise<Side> {
  const { db } = engine;
  const { paymentId } = identity;
  await storePayment(db, identity);
  for (const name of ['asked', 'asked-too'])
    await acceptCommand(db, captureCommand(identity, { id: `${paymentId}-${name}` }));
  return {
    db,
    queries: transitions,
    begun: [],
    shown: async () => {
      const row = await findPayment(db, identity);
      const commands = await db
        .selectFrom('commands')
        .selectAll()
        .where('subject_id', '=', paymentId)
        .orderBy('id')
        .execute();
      const attempts = await listAttempts(db, paymentId);
      const lines = await listTimeline(db, paymentId);
      return shownAs(
        row,
        commands,
        attempts,
        lines.map(({ version, to_status }) => [version, to_status]),
      );
    },
  };
}

function modelRows(identity: PaymentIdentity): Side {
  const { paymentId: id } = identity;
  const rows = new Rows(() => Date.now());
  const state = payment('creating');
  const order = { id: `${id}:order`, kind: 'create', subjectId: id } as const;
  rows.order({ id, kind: 'payment', ...owner, status: state.status, state, version: 0 }, order);
  for (const name of ['asked', 'asked-too'])
    rows.commands.accept({ id: `${id}-${name}`, kind: 'capture', subjectId: id });
  const db = {
    run: async <T>(statement: (rows: Rows) => T): Promise<T> => statement(rows),
    transaction: () => ({
      execute: async <T>(work: (trx: unknown) => Promise<T>): Promise<T> => await work(db),
    }),
  };
  return {
    db,
    queries: simulatedTransitions,
    begun: [],
    shown: async () => {
      const commands = [...rows.commands.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
      const lines = [...(rows.timelines.get(id)?.values() ?? [])].toSorted(
        (one, other) => one.version - other.version,
      );
      return shownAs(
        rows.subjects.get(id),
        commands,
        rows.attempts,
        lines.map(({ version, to }) => [version, to]),
      );
    },
  };
}

interface Shown {
  readonly row: { readonly status: string; readonly version: number } | undefined;
  readonly commands: readonly { readonly id: string; readonly status: string; readonly result: unknown }[];
  readonly attempts: readonly {
    readonly step_name: string;
    readonly attempt_number: number;
    readonly outcome: unknown;
  }[];
}

function shownAs(
  row: Shown['row'],
  commands: Shown['commands'],
  attempts: Shown['attempts'],
  story: readonly unknown[],
): unknown {
  return {
    row: row && { status: row.status, version: row.version },
    commands: commands.map(({ id, status, result }) => ({ id, status, result })),
    attempts: attempts.map(({ step_name, attempt_number, outcome }) => ({
      step_name,
      attempt_number,
      outcome,
    })),
    story,
  };
}
