import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import * as simulatedCalls from '#proof/simulator/rows/api-calls.js';
import * as simulatedAttempts from '#proof/simulator/rows/attempts.js';
import * as simulatedCommands from '#proof/simulator/rows/commands.js';
import * as simulatedCancellation from '#proof/simulator/rows/payer-cancellation.js';
import type { Rows } from '#proof/simulator/rows/rows.js';
import * as simulatedTimeline from '#proof/simulator/rows/timeline.js';
import * as simulatedTransitions from '#proof/simulator/rows/transitions.js';
import * as calls from '#database/calls';
import * as attempts from '#database/commands/attempts.js';
import * as commands from '#database/commands/command-rows.js';
import type { AttemptRow, CommandRow } from '#database/schema';
import * as cancellation from '#database/subjects/payer-cancellation.js';
import { paymentRecords } from '#database/transitions';
import * as timeline from '#database/transitions/timeline.js';
import * as transitions from '#database/transitions/write-transition.js';
import { type PaymentIdentity, paymentSubject } from '#workflows/contract';
import { sized } from '../helpers/sized.js';
import { now, payment } from '../lifecycle/payment/sample-payments.js';
import { modelDatabase, orderedInModel, realRows } from './compared-rows.js';
import {
  type EngineDatabase,
  newAttempt,
  newIdentity,
  useEngineDatabase,
  transition,
} from './engine-database.js';

const engine = useEngineDatabase();

const steps = ['first', 'second'] as const;
/** All attempts of a step are of one command, or of none. */
const commandOf = { first: 'asked', second: undefined } as const;
const named = { step: fc.constantFrom(...steps), attempt: fc.nat(1) };

const operation = fc.oneof(
  fc.record({ type: fc.constant('begun' as const), ...named }),
  fc.record({
    type: fc.constant('settled' as const),
    nth: fc.nat(2),
    outcome: fc.constantFrom('answered' as const, 'unknown' as const),
  }),
  fc.record({
    type: fc.constant('called' as const),
    ...named,
    status: fc.constantFrom(null, 200, 399, 400, 429, 500),
    debugId: fc.option(fc.constantFrom('DEBUG-1', 'DEBUG-2'), { nil: undefined }),
    response: fc.constantFrom(undefined, {}, { name: 'RATE_LIMIT_REACHED' }),
  }),
  fc.record({
    type: fc.constant('told' as const),
    version: fc.integer({ min: 1, max: 3 }),
    detail: fc.option(fc.constant('in words'), { nil: undefined }),
    status: fc.constantFrom('succeeded' as const, 'refused' as const),
  }),
  fc.record({ type: fc.constant('cancelled by the payer' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

it('attempts, failed calls, commands, details and cancellations are read as from PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const identity = newIdentity();
      await realRows(engine.db, identity);
      const rows = orderedInModel(identity);
      const real = new Reads(engine.db, identity, inPostgreSql);
      const model = new Reads(modelDatabase(rows), identity, { ...inModel, ...cancelledIn(rows) } as never);
      for (const each of operations) {
        await real.carryOut(each);
        await model.carryOut(each);
      }
      expect(await model.shown()).toEqual(await real.shown());
    }),
    // The same draws in each `npm test`; others in each long run.
    { numRuns: sized(40, 500), ...(sized(1, 0) === 1 && { seed: 20_264 }) },
  );
});

const inPostgreSql = { ...transitions, ...attempts, ...commands, ...cancellation, ...calls, ...timeline };
const inModel = {
  ...simulatedTransitions,
  ...simulatedAttempts,
  ...simulatedCommands,
  ...simulatedCancellation,
  ...simulatedCalls,
  ...simulatedTimeline,
};

/** As the simulator's payer cancels. */
function cancelledIn(rows: Rows) {
  return {
    notePayerCancelled: async (_db: never, _table: string, id: string) => void rows.payerCancelled.add(id),
  };
}

/** What the steps of a lifecycle read, of one payment. */
class Reads {
  private readonly begun: number[] = [];

  constructor(
    private readonly db: EngineDatabase['db'],
    private readonly identity: PaymentIdentity,
    private readonly queries: typeof inPostgreSql,
  ) {}

  async carryOut(each: Operation): Promise<void> {
    const { db, identity, queries, begun } = this;
    const change = transition(identity, payment('authorizing'), 1);
    switch (each.type) {
      case 'begun': {
        const [stepName, step] = [
          this.of(each.step),
          { type: 'voidAuthorization', commandId: commandOf[each.step] },
        ];
        const names = { stepName, requestId: stepName, reference: stepName, attemptNumber: each.attempt };
        const id = await queries.beginAttempt(db, change, newAttempt({ ...names, step: step as never }));
        if (id !== undefined) begun.push(id);
        return;
      }
      case 'settled': {
        const attemptId = begun[each.nth];
        const { outcome } = each;
        const settlement = { outcome, event: { type: 'voidConfirmed' }, at: new Date(now) };
        if (attemptId !== undefined)
          await queries.writeAttemptOutcome(db, change, { attemptId, ...settlement });
        return;
      }
      case 'called': {
        const { status, debugId, response } = each;
        const made = {
          operation: 'authorization.void',
          method: 'POST',
          path: '/',
          startedAt: new Date(now),
          durationMs: 1,
        };
        const answer = { status, ...(debugId !== undefined && { debugId }), ...(response && { response }) };
        return await queries.recordCalls(db, paymentSubject(identity), [
          { ...made, ...answer, requestId: this.of(each.step) },
        ]);
      }
      case 'told': {
        const { version, detail, status } = each;
        const entry = {
          event: 'told',
          kind: 'moved',
          from: 'authorized',
          to: 'authorized',
          at: now,
          version,
        } as const;
        return await queries.writeTransition(db, {
          ...transition(identity, payment('authorizing'), version),
          timeline: [{ ...entry, ...(detail !== undefined && { detail }) }],
          commands: [{ commandId: this.of('asked'), kind: 'capture', status, result: { code: status } }],
        });
      }
      case 'cancelled by the payer':
        return await queries.notePayerCancelled(db, 'payments', identity.paymentId);
    }
  }

  async shown(): Promise<unknown> {
    const { db, identity, queries } = this;
    const { paymentId } = identity;
    const everyStep = steps.map((step) => this.of(step));
    const byReference = await queries.findCommandsByReference(db, paymentId, [...everyStep, 'nobody’s']);
    return {
      steps: await Promise.all(
        everyStep.map(async (step) => (await queries.findAttempts(db, paymentId, step)).map(shownAttempt)),
      ),
      attempts: (await queries.listAttempts(db, paymentId)).map(shownAttempt),
      failed: await Promise.all(
        everyStep.map(async (step) => await queries.findFailedCalls(db, paymentId, step)),
      ),
      byReference: new Map(byReference),
      commands: await Promise.all(
        ['asked', 'foreign', 'nobody’s'].map(async (name) =>
          shownCommand(await queries.findCommand(db, this.of(name)), paymentId),
        ),
      ),
      details: await Promise.all(
        [
          { version: 1, event: 'told' },
          { version: 2, event: 'told' },
          { version: 2, event: 'another' },
        ].map(async (line) => await queries.findDetail(db, paymentId, line)),
      ),
      isCancelled: await queries.hasPayerCancelled(db, 'payments', paymentId),
      position: await queries.findPosition(db, paymentRecords, paymentSubject(identity)),
    };
  }

  private of(name: string): string {
    return `${this.identity.paymentId}-${name}`;
  }
}

function shownAttempt({
  step_name,
  attempt_number,
  step,
  reference,
  request_id,
  outcome,
  event,
}: AttemptRow) {
  return { step_name, attempt_number, step, reference, request_id, outcome, event };
}

function shownCommand(row: CommandRow | undefined, paymentId: string) {
  return (
    row && { status: row.status, kind: row.kind, isOurs: row.subject_id === paymentId, result: row.result }
  );
}
