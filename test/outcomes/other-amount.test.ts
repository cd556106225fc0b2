import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';

const stage = forEachTest(openStage);

describe('a hold of another amount than was ordered', () => {
  it('is released once when an operator decides so', async () => {
    const worker = stage.hireWorker();
    await stage.sandbox.configure({ approval: 'immediate' });
    await stage.sandbox.fault({
      operation: 'payment.create',
      kind: 'reshape',
      add: { 'transactions[0].related_resources[0].authorization.amount.total': '90.00' },
    });
    const reviewed = await worker.follow(stage.ordered, {
      type: 'perform',
      step: { type: 'createPayment' },
    });
    expect(reviewed.state.status).toBe('needs_review');
    const decision = {
      type: 'reviewDecided',
      commandId: 'cmd_1',
      decision: 'void',
      reason: 'Seen in the dashboard.',
    } as const;
    expect((await worker.take(reviewed, decision)).state.status).toBe('voided');
    const { rows } = await sql`select status from commands where id = ${decision.commandId}`.execute(
      stage.db,
    );
    expect(rows).toEqual([{ status: 'succeeded' }]);
    expect(await stage.books()).toEqual(['hold 10000', 'release 10000']);
  });
});
