import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CommandOutcome } from '#database/transitions';
import type { PaymentIdentity } from '#workflows/contract';
import { now, payment } from '../lifecycle/payment/sample-payments.js';
import { sized } from '../helpers/sized.js';
import { type Side, modelRows, realRows } from './compared-rows.js';
import { newAttempt, newIdentity, useEngineDatabase, transition } from './engine-database.js';

const engine = useEngineDatabase();

const statuses = [
  'awaiting_approval',
  'authorized',
  'capturing',
  'captured',
  'expired',
  'cancelled',
] as const;
/** The first two were asked for, the third of another payment; the others are a policy's. */
const commandNames = ['asked', 'asked-too', 'foreign', 'policy', 'policy-too'] as const;

const written = fc.record({
  status: fc.constantFrom(...statuses),
  version: fc.integer({ min: 0, max: 6 }),
  knownStatus: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  task: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  isReported: fc.boolean(),
  /** How many versions before it the rows are known. */
  unknown: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  /** How many lines before those the run has written itself. */
  ownLines: fc.integer({ min: 0, max: 3 }),
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
      isUncalled: fc.option(fc.constant(true as const), { nil: undefined }),
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
      const real = await realRows(engine.db, identity);
      const model = modelRows(identity);
      for (const each of operations) {
        const outcome = await carryOut(identity, each, real);
        expect(await carryOut(identity, each, model)).toEqual(outcome);
      }
      expect(await model.shown()).toEqual(await real.shown());
    }),
    // The same draws in each `npm test`; others in each long run.
    { numRuns: sized(60, 600), ...(sized(1, 0) === 1 && { seed: 20_261 }) },
  );
});

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

function transitionOf(identity: PaymentIdentity, { written: { isReported, ...asked } }: Operation) {
  const { authorization: _shared, providerPaymentId: _too, ...own } = payment(asked.status);
  const { saleStatus: status } = asked;
  const collected = {
    // Ids are the payment's own, as the provider's are.
    captures: asked.captures.map((capture) => ({ ...capture, captureId: ownId(capture.captureId) })),
    ...(status !== undefined && { sale: { saleId: ownId('SALE'), minor: 10_000, status } }),
  };
  const commands = asked.commands.map(({ name, kind, status, isUncalled }): CommandOutcome => {
    const commandId = `${identity.paymentId}${name.startsWith('policy') ? ':' : '-'}${name}`;
    return { commandId, kind, status, result: { code: status }, ...(isUncalled && { isUncalled }) };
  });
  const entry = { event: 'told', kind: 'moved', from: 'authorized', to: asked.status, at: now } as const;
  const { version } = asked;
  const ownVersions = [version - 1, version - 2, version - 3].slice(0, asked.ownLines);
  return {
    ...transition(identity, { ...own, ...collected }, asked.version),
    timeline: isReported ? [{ ...entry, version: asked.version }] : [],
    commands,
    knownStatus: asked.knownStatus,
    knownVersion: asked.unknown === undefined ? undefined : version - asked.unknown,
    ownLines: ownVersions.map((before) => ({ ...entry, event: 'own', version: before })),
    taskStartedAt: asked.task === undefined ? undefined : now + asked.task,
  };

  function ownId(id: string): string {
    return `${id}-${identity.paymentId}`;
  }
}
