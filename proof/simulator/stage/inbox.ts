import { adoptedRefundId } from '#database/subjects';
import { type EventRoute, routeEvent } from '#webhook-inbox/event-route.js';
import { asNewRunsDo } from '#workflows/contract/run.js';
import { observedRefund } from '#workflows/lifecycle/refund';
import type { SubjectRow } from '../rows/row-types.js';
import { type Stage, owner } from './stage.js';

type AdoptedRefund = Extract<EventRoute, { kind: 'adoptRefund' }>;

/** What a webhook tells of. */
export interface ToldEvent {
  readonly id: string;
  readonly eventType: string;
  readonly kind: string;
  readonly resourceId: string;
  readonly state: string;
  /** The provider's id of the payment that it names besides. */
  readonly paymentId?: string | undefined;
  /** Of an approval. */
  readonly payerId?: string | undefined;
  readonly updatedAt?: number | undefined;
}

/** As the inbox dispatches an event: to the run, or to nobody while it is not known whose it is. */
export async function dispatch(stage: Stage, event: ToldEvent): Promise<void> {
  const { clock, draws } = stage.world;
  for (let looks = 0; looks < 12; looks += 1) {
    const subject = subjectOf(stage, event);
    if (subject && (await isRouted(stage, event, subject))) return;
    await clock.sleep(10_000 * 2 ** looks + draws.between('sweep', 0, 10_000));
  }
}

/** @returns false while it is parked. */
async function isRouted(stage: Stage, event: ToldEvent, subject: SubjectRow): Promise<boolean> {
  const { kind, resourceId, state, updatedAt, payerId, paymentId } = event;
  const told = { ...(updatedAt !== undefined && { updatedAt }), ...(payerId !== undefined && { payerId }) };
  const resource = { kind, id: resourceId, state, ...told };
  const ids = paymentId === undefined ? [] : [paymentId, resourceId];
  const routed = { event_id: event.id, event_type: event.eventType, resource, resource_ids: ids };
  const route = routeEvent(routed as never, { id: subject.id, state: subject.state });
  switch (route.kind) {
    case 'setStatus':
      return route.status !== 'parked';
    case 'signal':
      await stage.tellRun(subject.id, { ...route.message, id: event.id });
      return true;
    case 'startReading':
      stage.startReading(subject.id, route.runOf(subject));
      await stage.tellRun(subject.id, { ...route.message, id: event.id });
      return true;
    case 'adoptRefund':
      adoptRefund(stage, event.id, subject.id, route);
      return true;
  }
}

/** What is known counts at once: its row is there before its run. */
function adoptRefund(
  stage: Stage,
  eventId: string,
  subjectId: string,
  { claim, patience, nameElsewhere, paymentId = subjectId }: AdoptedRefund,
): void {
  const { rows, server, world, workflowId } = stage;
  const refundId = adoptedRefundId(owner, nameElsewhere);
  const id = workflowId(refundId);
  if (!rows.subjects.has(refundId)) {
    const state = observedRefund(claim, paymentId, patience, world.clock.now);
    rows.insert({ id: refundId, kind: 'refund', ...owner, status: state.status, state, version: 0 });
  }
  const limits = { looksPerRun: 500, ...asNewRunsDo };
  const input = { identity: { ...owner, refundId }, claim, paymentId, patience, ...limits };
  stage.starts.set(id, { type: 'refundWorkflow', input });
  if (!server.runs.has(id)) server.start(id, 'refundWorkflow', input);
  const event = { type: 'refundNotified', eventType: 'refund' };
  server.signal(id, event.type, { id: eventId, event });
}

function subjectOf({ rows, provider }: Stage, { paymentId, resourceId }: ToldEvent): SubjectRow | undefined {
  const parent = paymentId ?? provider.parentOf(resourceId) ?? '';
  return rows.subjects.get(rows.resources.get(resourceId) ?? rows.resources.get(parent) ?? '');
}
