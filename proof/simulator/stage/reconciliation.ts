import type { CommandRow as StoredCommand } from '#database/schema';
import { paymentRuns } from '#worker/reconciliation/payment-runs.js';
import { payoutRuns } from '#worker/reconciliation/payout-runs.js';
import { refundRuns } from '#worker/reconciliation/refund-runs.js';
import { planRuns, subscriptionRuns } from '#worker/reconciliation/subscription-runs.js';
import type { WatchedKind } from '#worker/reconciliation/watched-kind.js';
import { subscriptionRunAfterEnd } from '#runs';
import { kindOf } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import { isBookOwed, type SubscriptionState } from '#workflows/lifecycle/subscription';
import type { CommandRow } from '../rows/row-types.js';
import { OvertakenError } from '../rows/rows.js';
import { type Stage, owner } from './stage.js';

/** As apps/worker/src/worker-config.ts sets them. */
const lostAfterMs = 60_000;
const intervalMs = 60_000;

type Kind = WatchedKind<LifecycleState>;
const kinds = {
  payment: paymentRuns,
  payout: payoutRuns,
  refund: refundRuns,
  plan: planRuns,
  subscription: subscriptionRuns,
} as unknown as Readonly<Record<string, Kind>>;

/**
 * As apps/worker/src/reconciliation/reconcile-runs.ts: tells runs again what they have not heard, and replaces those that
 * are gone. Its rounds are drawn only where there is something to find.
 */
export function reconcile(stage: Stage): void {
  const { world, watch, server } = stage;
  const inARound = (look: () => void) =>
    void world.clock.after(lostAfterMs + world.draws.between('round', 1, intervalMs), look);
  watch({
    subjectChanged: (before, { id }) => {
      if (!before) inARound(() => watchRun(id));
    },
    commandChanged: (before, { id, kind }) => {
      if (!before && kind !== 'create' && kind !== 'refund') inARound(() => watchCommand(id));
    },
  });
  server.onLost = ({ id }) => inARound(() => watchRun(id.split('/').at(-1) ?? ''));

  function watchCommand(id: string): void {
    const command = stage.rows.commands.get(id);
    if (command?.status !== 'accepted') return;
    inARound(() => watchCommand(id));
    const { subjectId } = command;
    const run = server.runs.get(stage.workflowId(subjectId));
    const kind = kinds[kindOf({ id: subjectId })];
    if (!run || !kind) return;
    if (run.ended && kind.records.ends.includes(stage.row(subjectId).status)) {
      stage.rows.commands.refuse(id, { code: 'not_allowed_in_state', reason: 'It has ended.' });
      return;
    }
    const message = messageOf(kind, command);
    if (!message) return;
    world.tell(() => `reconciliation tells ${subjectId} of ${id}`);
    void stage.tellRun(subjectId, message);
  }

  function watchRun(id: string): void {
    const run = server.runs.get(stage.workflowId(id));
    const isGone = !run || run.ended?.failure === 'lost';
    if (!isGone) return;
    stage.rows.timelines.adopt(stage.row(id));
    if (kinds[kindOf({ id })]?.records.ends.includes(stage.row(id).status)) return readOn(stage, id);
    if (!replaceRun(stage, id)) inARound(() => watchRun(id));
  }
}

/** As apps/worker/src/reconciliation/reconcile-subjects.ts: the run that made the last reads of a subscription is gone. */
function readOn(stage: Stage, id: string): void {
  const row = stage.row<SubscriptionState>(id);
  if (row.kind !== 'subscription' || !isBookOwed(row.state)) return;
  stage.world.tell(() => `reconciliation has ${id} read on`);
  stage.startReading(id, subscriptionRunAfterEnd(row, row.state));
  const hint = { type: 'providerNotified', eventType: 'RECONCILIATION' } as const;
  void stage.tellRun(id, { id: `reconciliation:${row.version}`, event: hint });
}

function messageOf(kind: Kind, { id, kind: asked, parameters }: CommandRow) {
  return kind.messageOf({ id, kind: asked, parameters } as unknown as StoredCommand);
}

/** @returns false where the row was written meanwhile. */
function replaceRun({ rows, row, starts, server, workflowId, world }: Stage, id: string): boolean {
  const kind = kinds[kindOf({ id })];
  const started = starts.get(workflowId(id));
  if (!kind || !started) return false;
  const { position, entry } = kind.restartFrom(row(id), world.clock.now);
  try {
    const subject = { ...owner, id };
    rows.writeTransition({ records: kind.records, subject, ...position, timeline: [entry] });
  } catch (error) {
    if (error instanceof OvertakenError) return false;
    throw error;
  }
  rows.timelines.adopt(row(id));
  const forgotten = [...rows.commands.values()].filter(
    ({ subjectId, status }) => subjectId === id && status === 'accepted',
  );
  const waiting = forgotten.flatMap((command) => messageOf(kind, command) ?? []);
  const continued = { ...position, seen: waiting.map((message) => message.id), waiting };
  world.tell(() => `reconciliation replaces the run of ${id}`);
  server.start(workflowId(id), started.type, { ...started.input, continued });
  return true;
}
