import { beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type Runs, TemporalAwayError } from '#runs';
import { readAllAgain } from '#worker/recovery/recover-rows.js';
import { recoverRuns } from '#worker/recovery/recover-runs.js';
import { resendLostSignals } from '#worker/recovery/lost-signals.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { journalWebhookEvent, markWebhookEvent } from '#database/events';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { leased, newEvent, owner, storeAuthorizedPayment, useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

/** Authorized payments that have not changed for an hour. */
async function payments(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) ids.push((await storeAuthorizedPayment(engine.db)).paymentId);
  await sql`update payments set updated_at = now() - interval '1 hour'`.execute(engine.db);
  return ids;
}

/** The subjects for which the log says that the command must be run again. */
let named: string[];
beforeEach(() => {
  named = [];
});
const logger = pino(
  {},
  {
    write: (line) => {
      const { id, msg } = JSON.parse(line) as { readonly id: string; readonly msg: string };
      if (msg.endsWith('run the command again')) named.push(id);
    },
  },
);

function contextWith(runs: Partial<Runs>): MaintenanceContext {
  const reconciliation = {
    applications: [owner],
    publicUrl: '',
    overlapMs: 1,
    graceMs: 1,
    lostAfterMs: 60_000,
  };
  return { db: engine.db, runs, reconciliation, logger } as unknown as MaintenanceContext;
}

const away = () => Promise.reject(new TemporalAwayError('grpc-14'));
const unreadable = () => Promise.reject(new Error('its memo was written with a key that is gone'));
const options = { concurrency: 2, report: () => undefined };

it.each([2, 30])(
  'rebuilds all other runs and goes on where %i subjects cannot be recovered',
  async (count) => {
    await engine.db.deleteFrom('payments').execute();
    const unusable = new Set(await payments(count));
    const others = await payments(3);
    const restarted: string[] = [];
    const found = await recoverRuns(
      contextWith({
        statusOf: async ({ id }) => {
          if (unusable.has(id)) throw new Error('its memo was written with a key that is gone');
          return { kind: 'gone' };
        },
        restart: async ({ subject }) => {
          restarted.push(subject.id);
          return true;
        },
      }),
      owner,
      options,
    );
    expect(restarted.toSorted()).toEqual(others.toSorted());
    expect(found.get('payment')).toEqual({ open: count + 3, rebuilt: 3, failed: count });
    expect(new Set(named)).toEqual(unusable);
  },
);

it('stops where Temporal is away', async () => {
  await payments(30);
  await expect(recoverRuns(contextWith({ statusOf: away }), owner, options)).rejects.toThrow(
    TemporalAwayError,
  );
});

it('asks a run again that could not be asked to read after a restore, and tells which could not', async () => {
  await engine.db.deleteFrom('payments').execute();
  const [late, silent, other] = await payments(3);
  const asked: string[] = [];
  const signal: Runs['signal'] = async ({ id }) => {
    if (id === silent || (id === late && !asked.includes(`${id} late`))) {
      asked.push(`${id} late`);
      throw new TemporalAwayError('grpc-4');
    }
    asked.push(id);
    return true;
  };
  expect(await readAllAgain(contextWith({ signal }), owner, options)).toEqual([silent]);
  expect(asked).toEqual(expect.arrayContaining([late, other]));
  expect(new Set(named)).toEqual(new Set([late, silent]));
});

it('dispatches signalled events again if it is not known whether their run is lost', async () => {
  const { subscriptionId: subjectId } = await storeSubscription(engine.db, subscription('cancelled'));
  const { id } = await journalWebhookEvent(engine.db, newEvent());
  const detail = 'signalled to a run that reads it';
  await markWebhookEvent(engine.db, await leased(engine.db, id), 'applied', { subjectId, detail });
  const since = new Date(Date.now() - 60_000);
  const signals = { since, wasLost: false, concurrency: 2 };
  expect(await resendLostSignals(contextWith({ statusOf: unreadable }), owner, signals)).toBe(1);
});
