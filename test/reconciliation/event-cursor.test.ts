import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import { reconcileEvents } from '#worker/reconciliation/reconcile-events.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import type { ProviderApplication } from '#configuration';
import { ChangeAnnouncer } from '#database/connection';
import { findReconciliation } from '#database/reconciliation';
import { journalWebhookEvent } from '#database/events';
import { readWebhookEvent } from '#payments-client/webhooks';
import { BlockedRuns } from '#worker/blocked-runs/blocked-runs.js';
import { Runs } from '#runs';
import { EventDispatch, newEventOf } from '#webhook-inbox';
import { eventRow } from '../database/engine-database.js';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { connectToTemporal } from '../helpers/temporal.js';
import { until } from '../helpers/until.js';
import { held, liveUntil, promptProvider } from '../outcomes/live-on.js';

const owner = { environment: 'sandbox', application: 'shop' } as const;
const overlapMs = 60_000;

let context: MaintenanceContext;
let closeContext: () => Promise<void>;
const stage = forEachTest(() => openStage(promptProvider));
beforeEach(async () => {
  ({ context, close: closeContext } = await openContext(stage));
});
afterEach(async () => {
  await closeContext();
});

/** What the reconciliation of a worker works with; the runs that it tells have ended. */
async function openContext({ db, databaseUrl, sandbox }: Stage) {
  const connection = await connectToTemporal();
  const { url: baseUrl, clientId, clientSecret } = sandbox;
  const application: ProviderApplication = {
    ...owner,
    baseUrl,
    clientId,
    clientSecret,
    webhookSecret: 'x'.repeat(24),
    webhookAuthentication: 'signature',
  };
  const providers = new ProviderClients([application]);
  const changes = new ChangeAnnouncer(databaseUrl);
  const temporal = new Client({ connection });
  const runs = new Runs(temporal, {
    taskQueue: 'nobody-works-here',
    deadlineMs: 60_000,
  });
  const publicUrl = 'https://payments.example';
  const reconciliation = { applications: [owner], publicUrl, overlapMs, graceMs: 0, lostAfterMs: 60_000 };
  return {
    context: {
      db,
      providers,
      changes,
      runs,
      blockedRuns: new BlockedRuns(temporal, 60_000, async () => true),
      dispatch: new EventDispatch(db, runs),
      applications: [application],
      publicUrl,
      logger: pino({ level: 'silent' }),
      reconciliation,
    },
    close: async () => {
      await Promise.all([providers.close(), changes.close(), connection.close()]);
    },
  };
}

async function cursor(): Promise<number> {
  return (await findReconciliation(stage.db, owner))?.events_until.getTime() ?? 0;
}

async function journaled(): Promise<string[]> {
  const rows = await stage.db
    .selectFrom('webhook_events')
    .select(['event_type', 'source', 'deliveries'])
    .orderBy('event_type')
    .execute();
  return rows.map(({ event_type, source, deliveries }) => `${event_type} by ${source}, ${deliveries}`);
}

type Cut = Record<string, unknown> & { resource: object };

/** A refund of a payment that has ended, its event delivered with less in it. @returns the event's row. */
async function refundedElsewhere(cut: (event: Cut) => object): Promise<number> {
  const worker = stage.hireWorker();
  const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 100_00, final: true } as const;
  const asked = await worker.take(await held(stage, worker), capture);
  const { state } = await liveUntil(worker, asked, 'captured');
  await stage.sandbox.refundElsewhere(state.captures[0]?.captureId ?? '', '40.00');
  const body = await until(refundEvent, (found) => found !== undefined, 'the event of the refund');
  const less = cut(body as Cut);
  const event = newEventOf(readWebhookEvent(less), less);
  return (await journalWebhookEvent(stage.db, { ...owner, ...event })).id;
}

async function refundEvent(): Promise<unknown> {
  const times = { startTime: new Date(Date.now() - 60_000).toISOString(), endTime: new Date().toISOString() };
  for await (const { events } of context.providers.for(owner).events.search(times)) {
    const found = events.find(({ event }) => event.eventType === 'PAYMENT.CAPTURE.REFUNDED');
    if (found) return found.body;
  }
  return undefined;
}

describe('the search for events that never came', () => {
  it('puts them into the inbox once, however often it is made', async () => {
    await held(stage, stage.hireWorker());
    await reconcileEvents(context, owner);
    const found = await journaled();
    expect(found).toContain('PAYMENT.AUTHORIZATION.CREATED by reconciliation, 1');
    await reconcileEvents(context, owner);
    expect(await journaled()).toEqual(found);
  });

  it.each([
    ['the refund', ({ resource, ...event }: Cut) => ({ ...event, resource: { ...resource, id: undefined } })],
    ['what it is of', (event: Cut) => ({ ...event, resource_type: undefined })],
  ])('brings the complete event once for one that was delivered without %s', async (_, cut) => {
    const id = await refundedElsewhere(cut);
    await context.dispatch.dispatch(id);
    expect(await eventRow(stage.db, id)).toMatchObject({ status: 'ignored', resource: { id: '' } });
    for (let times = 0; times < 2; times += 1) {
      await reconcileEvents(context, owner);
      expect(await eventRow(stage.db, id)).toMatchObject({
        status: 'applied',
        detail: 'signalled to the run of the refund',
        resource: { kind: 'refund', state: 'completed' },
        deliveries: 1,
        contradictions: 0,
      });
    }
  });

  it('replaces other content that was delivered under the event’s id, and that is reported', async () => {
    const id = await refundedElsewhere(({ resource, ...event }) => ({
      ...event,
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      trigger_event: 'PAYMENT.CAPTURE.COMPLETED',
      resource_type: 'capture',
      resource: { ...resource, id: (resource as { capture_id?: string }).capture_id, state: 'completed' },
    }));
    await context.dispatch.dispatch(id);
    const forged = await eventRow(stage.db, id);
    for (let times = 0; times < 2; times += 1) {
      await reconcileEvents(context, owner);
      expect(await eventRow(stage.db, id)).toMatchObject({
        status: 'applied',
        detail: 'signalled to the run of the refund',
        event_type: 'PAYMENT.CAPTURE.REFUNDED',
        resource: { kind: 'refund', state: 'completed' },
        first_content: { eventType: 'PAYMENT.CAPTURE.COMPLETED', resource: forged.resource },
        contradictions: 1,
        dispatches: 2,
      });
    }
  });

  it('begins where it stopped when the provider did not answer', async () => {
    await reconcileEvents(context, owner);
    const before = await cursor();
    await held(stage, stage.hireWorker());
    await stage.sandbox.fault({ operation: 'event.list', kind: 'status', status: 403, times: null });
    await expect(reconcileEvents(context, owner)).rejects.toThrow();
    expect(await cursor()).toBe(before);
    await stage.sandbox.clearFaults();
    await reconcileEvents(context, owner);
    expect(await journaled()).toContain('PAYMENT.AUTHORIZATION.CREATED by reconciliation, 1');
  });

  it('stays behind by as long as an event may take to be committed', async () => {
    await held(stage, stage.hireWorker());
    await reconcileEvents(context, owner);
    expect(await cursor()).toBeLessThanOrEqual(Date.now() - overlapMs);
  });
});
