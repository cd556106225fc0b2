import { type BatchOptions, type Database, batched } from '#database/connection';
import {
  type EventMark,
  type KnownEvent,
  type KnownSubject,
  type LeasedEvent,
  type ReceivedWithSubject,
  findReceivedEvents,
  findSubjectsOf,
  firstParkedMs,
  leaseWebhookEvents,
  lockSubjectOf,
  markKnownEvents,
  markWebhookEvent,
  markWebhookEvents,
  parkUnknownEvent,
} from '#database/events';
import type { WebhookStatus } from '#database/schema';
import { looksPerRun, refundRunStart, type Runs } from '#runs';
import type { RefundMessage } from '#workflows/contract';
import { insertReportedRefund } from './reported-refund.js';
import { type EventRoute, routeEvent } from './event-route.js';

/** If a dispatcher dies, another one can take the event after this time. */
const leaseMs = 30_000;

/** While Temporal is away, the sweep tries again after this time, then after longer and longer times. */
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;

/** Events that are dispatched at the same time share SQL statements and commits. */
const together: BatchOptions = { largest: 64, concurrency: 2 };

/** The route of an event and its subject. */
interface RoutedEvent {
  readonly subject: KnownSubject;
  readonly route: Exclude<EventRoute, { kind: 'setStatus' }>;
}

/** Brings one journaled event to its run. */
export class EventDispatch {
  private readonly lease: (id: number) => Promise<LeasedEvent | undefined>;
  private readonly findSubject: (event: LeasedEvent) => Promise<KnownSubject | undefined>;
  private readonly mark: (mark: EventMark) => Promise<boolean>;
  private readonly findReceived: (id: number) => Promise<ReceivedWithSubject | undefined>;
  private readonly markKnown: (known: KnownEvent) => Promise<boolean>;

  constructor(
    private readonly db: Database,
    private readonly runs: Runs,
  ) {
    this.lease = batched((ids) => leaseWebhookEvents(db, ids, leaseMs), together);
    this.findSubject = batched((events) => findSubjectsOf(db, events), together);
    this.mark = batched((marks) => markWebhookEvents(db, marks), together);
    this.findReceived = batched((ids) => findReceivedEvents(db, ids), together);
    this.markKnown = batched((known) => markKnownEvents(db, known), together);
  }

  /**
   * Does nothing for an event that has its last status, or is leased to another dispatcher.
   *
   * @throws {TemporalAwayError} after giving the event back for the next sweep.
   */
  async dispatch(id: number): Promise<void> {
    const event = await this.lease(id);
    if (!event) return;
    const routed = (await this.routeAtOnce(event)) ?? (await this.routeUnderLock(event));
    if (routed !== 'unknown') return await this.finish(event, routed);
    const isParked = await this.db
      .transaction()
      .execute(async (trx) => await parkUnknownEvent(trx, event, subjectUnknown));
    if (isParked) return;
    // The subject has become known in between. If it is unknown again, the lease was lost, or the sweep handles the
    // event.
    const again = await this.routeUnderLock(event);
    if (again !== 'unknown') await this.finish(event, again);
  }

  /**
   * The same for an event that was left for a while, because it probably reports what a call of ours has done: by now
   * the rows mostly have it, and no lease is needed to mark it.
   */
  async dispatchEcho(id: number): Promise<void> {
    if (!(await this.markIfKnown(id))) await this.dispatch(id);
  }

  /** Marks the event as applied if the rows have by now what it reports. */
  private async markIfKnown(id: number): Promise<boolean> {
    const received = await this.findReceived(id);
    if (!received) return false;
    const { event, subject } = received;
    const route = routeEvent(event, subject);
    if (route.kind !== 'setStatus' || route.status !== 'applied') return false;
    return await this.markKnown({ event, subjectId: subject.id, detail: route.detail });
  }

  /**
   * Makes the run of an event's subject read the provider, without using the event's content, which may be false.
   * Without a known subject there is nothing to read.
   *
   * @param place the index of this content among the contents of the event.
   * @throws {TemporalAwayError} when it is not certain that the run will get it.
   */
  async hint(event: LeasedEvent, place: number): Promise<void> {
    const subject = await this.findSubject(event);
    if (!subject) return;
    const route = routeEvent(event, subject);
    const id = `${messageIdOf(event)}:${place}`;
    if (route.kind !== 'setStatus') await this.signalRun(event, { subject, route }, id);
  }

  private async finish(event: LeasedEvent, routed: RoutedEvent | 'done'): Promise<void> {
    if (routed !== 'done') await this.sendToRun(event, routed);
  }

  /**
   * Routes an event without a lock, which is enough for most events: either the row already has what the event reports,
   * or the run reads the provider, and an unneeded read changes nothing.
   *
   * @returns undefined if the lock is needed: to park an event, because an answer that claims it may just be written,
   *   and to give an event its last status.
   */
  private async routeAtOnce(event: LeasedEvent): Promise<RoutedEvent | 'done' | undefined> {
    const subject = await this.findSubject(event);
    if (!subject) return undefined;
    const route = routeEvent(event, subject);
    if (route.kind !== 'setStatus') return { subject, route };
    const { status, detail } = route;
    if (status !== 'applied') return undefined;
    await this.mark({ lease: event, status, change: { detail, subjectId: subject.id } });
    return 'done';
  }

  private async routeUnderLock(event: LeasedEvent): Promise<RoutedEvent | 'done' | 'unknown'> {
    return await this.db.transaction().execute(async (trx) => {
      const subject = await lockSubjectOf(trx, event);
      if (!subject) return 'unknown';
      const route = routeEvent(event, subject);
      if (route.kind !== 'setStatus') return { subject, route };
      await markWebhookEvent(trx, event, route.status, {
        detail: route.detail,
        subjectId: subject.id,
        ...(route.status === 'parked' && { dueInMs: firstParkedMs }),
      });
      return 'done';
    });
  }

  /**
   * Signals the run first and then marks the event. After a crash in between the run is signalled twice, and it
   * recognizes the event's id. In the other order the event would be lost.
   *
   * @throws {TemporalAwayError} after giving the event back for a later sweep.
   */
  private async sendToRun(event: LeasedEvent, { subject, route }: RoutedEvent): Promise<void> {
    let wasTaken: boolean;
    try {
      wasTaken = await this.signalRun(event, { subject, route }, messageIdOf(event));
    } catch (error) {
      const dueInMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(event.dispatches - 1, 10));
      const change = { detail: 'the run could not be signalled yet', dueInMs };
      await this.mark({ lease: event, status: 'received', change });
      throw error;
    }
    const { status, detail } = outcomeOf(route, wasTaken);
    await this.mark({ lease: event, status, change: { subjectId: subject.id, detail } });
  }

  /**
   * Signals the run that the route names, and starts it where the route says so.
   *
   * @param id the id of the message: a run takes each message once.
   * @returns false if the run has ended and the message has reached no other one.
   */
  private async signalRun(event: LeasedEvent, { subject, route }: RoutedEvent, id: string): Promise<boolean> {
    const { environment, application } = event;
    if (route.kind === 'signal') {
      const message = { ...route.message, id };
      const isTaken = await this.runs.signal({ environment, application, id: subject.id }, message);
      return isTaken || (await this.signalAfterEnd(event, id));
    }
    if (route.kind === 'startReading') {
      const run = route.runOf({ environment, application, id: subject.id });
      await this.runs.startAgainWithMessage(run, { ...route.message, id });
      return true;
    }
    const { paymentId = subject.id, claim, patience } = route;
    const identity = await insertReportedRefund(
      this.db,
      { environment, application, subjectId: subject.id },
      route,
    );
    const run = refundRunStart({ identity, claim, paymentId, patience, looksPerRun });
    const message: RefundMessage = { id, event: { type: 'refundNotified', eventType: event.event_type } };
    return await this.runs.startWithMessage(run, message);
  }

  /** The run has ended since the event was routed. If the event may report a change after the end, another run reads it. */
  private async signalAfterEnd(event: LeasedEvent, id: string): Promise<boolean> {
    const subject = await this.findSubject(event);
    if (!subject) return false;
    const route = routeEvent(event, subject);
    const isRead = route.kind === 'startReading' || route.kind === 'adoptRefund';
    return isRead && (await this.signalRun(event, { subject, route }, id));
  }
}

/**
 * A run takes each message once, and the sender chooses the event's id. With a colon it cannot be the id of a request;
 * neither an event's id nor a resource's has one (`readWebhookEvent`), so that no two messages have one id.
 * Another content under the same id is another message: the whole of an event of which a part was delivered first, or
 * what the provider shows in place of what was forged.
 */
function messageIdOf({ event_id, resource, contradictions, dispatches }: LeasedEvent): string {
  const id = `event:${event_id}:${resource.id}`;
  return contradictions > 0 ? `${id}:${dispatches}` : id;
}

const subjectUnknown = 'no subject is known for the resource yet';

function outcomeOf(
  route: RoutedEvent['route'],
  wasTaken: boolean,
): { readonly status: WebhookStatus; readonly detail: string } {
  if (!wasTaken) return { status: 'ignored', detail: 'late: the run has ended' };
  if (route.kind === 'adoptRefund')
    return { status: 'applied', detail: 'signalled to the run of the refund' };
  if (route.kind === 'startReading') return { status: 'applied', detail: 'signalled to a run that reads it' };
  // The run reads the true state. The event's contradiction stays visible.
  if (route.contradiction !== undefined) return { status: 'conflict', detail: route.contradiction };
  return { status: 'applied', detail: 'signalled' };
}
