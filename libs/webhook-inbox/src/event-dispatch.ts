import type { Database } from '#database/connection';
import {
  type EventMark,
  type KnownSubject,
  type LeasedEvent,
  findSubjectsOf,
  leaseWebhookEvents,
  lockSubjectOf,
  markWebhookEvent,
  markWebhookEvents,
} from '#database/events';
import { firstLookMs, parkUnknownEvent } from '#database/transitions';
import type { WebhookStatus } from '#database/schema';
import { looksPerRun, refundRunStart, type Runs } from '#runs';
import type { RefundMessage } from '#workflows/contract';
import { observeClaim } from './claims.js';
import { type EventRoute, routeEvent } from './event-route.js';
import { type BatchOptions, batched } from './batched.js';

/** A dispatcher that dies in between loses the event after this long, and another one takes it. */
const leaseMs = 30_000;

/** Temporal is away: the sweep tries again after this long, and after ever longer where that does not help. */
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;

/** Events that are dispatched at the same time share their statements, and so their commits. */
const together: BatchOptions = { largest: 64, concurrency: 2 };

/** What a run must be told, and the subject that it is about. */
interface Told {
  readonly subject: KnownSubject;
  readonly route: Exclude<EventRoute, { kind: 'setStatus' }>;
}

/** Brings one journaled event to its run. */
export class EventDispatch {
  private readonly lease: (id: number) => Promise<LeasedEvent | undefined>;
  private readonly findSubject: (event: LeasedEvent) => Promise<KnownSubject | undefined>;
  private readonly mark: (mark: EventMark) => Promise<boolean>;

  constructor(
    private readonly db: Database,
    private readonly runs: Runs,
  ) {
    this.lease = batched((ids) => leaseWebhookEvents(db, ids, leaseMs), together);
    this.findSubject = batched((events) => findSubjectsOf(db, events), together);
    this.mark = batched((marks) => markWebhookEvents(db, marks), together);
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
      .execute(async (trx) => await parkUnknownEvent(trx, event, nobody));
    if (isParked) return;
    // Its subject has become known in between. Should it be unknown once more, our lease was lost, or the sweep sees.
    const again = await this.routeUnderLock(event);
    if (again !== 'unknown') await this.finish(event, again);
  }

  /**
   * Has what an event may be about read, without believing it: for what nobody can tell the truth of. An event of what
   * we do not know has nothing to be read.
   *
   * @param place of this content among those of the event.
   * @throws {TemporalAwayError} when it is not certain that the run will get it.
   */
  async hint(event: LeasedEvent, place: number): Promise<void> {
    const subject = await this.findSubject(event);
    if (!subject) return;
    const route = routeEvent(event, subject);
    const id = `${messageIdOf(event)}:${place}`;
    if (route.kind !== 'setStatus') await this.isTaken(event, { subject, route }, id);
  }

  private async finish(event: LeasedEvent, routed: Told | 'done'): Promise<void> {
    if (routed !== 'done') await this.tell(event, routed);
  }

  /**
   * Most events need no lock: they tell what the row has already, and what is known stays known; or they are for the
   * run, which reads the provider and stays as it is when it was told in vain.
   *
   * @returns undefined where the lock must decide: on what sets an event aside, for the answer that would claim it may
   *   just be on its way into the row, and on what takes it out of sight.
   */
  private async routeAtOnce(event: LeasedEvent): Promise<Told | 'done' | undefined> {
    const subject = await this.findSubject(event);
    if (!subject) return undefined;
    const route = routeEvent(event, subject);
    if (route.kind !== 'setStatus') return { subject, route };
    const { status, detail } = route;
    if (status !== 'applied') return undefined;
    await this.mark({ lease: event, status, change: { detail, subjectId: subject.id } });
    return 'done';
  }

  private async routeUnderLock(event: LeasedEvent): Promise<Told | 'done' | 'unknown'> {
    return await this.db.transaction().execute(async (trx) => {
      const subject = await lockSubjectOf(trx, event);
      if (!subject) return 'unknown';
      const route = routeEvent(event, subject);
      if (route.kind !== 'setStatus') return { subject, route };
      await markWebhookEvent(trx, event, route.status, {
        detail: route.detail,
        subjectId: subject.id,
        ...(route.status === 'parked' && { dueInMs: firstLookMs }),
      });
      return 'done';
    });
  }

  /**
   * Tells the run first and marks after: dying in between tells twice, and the run knows the event's id. The other way
   * round the event would be lost.
   *
   * @throws {TemporalAwayError} after giving the event back for a later sweep.
   */
  private async tell(event: LeasedEvent, { subject, route }: Told): Promise<void> {
    let wasTaken: boolean;
    try {
      wasTaken = await this.isTaken(event, { subject, route }, messageIdOf(event));
    } catch (error) {
      const dueInMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(event.dispatches - 1, 10));
      const change = { detail: 'the run could not be told yet', dueInMs };
      await this.mark({ lease: event, status: 'received', change });
      throw error;
    }
    const { status, detail } = outcomeOf(route, wasTaken);
    await this.mark({ lease: event, status, change: { subjectId: subject.id, detail } });
  }

  /** @param id of the message: a run takes each one once. */
  private async isTaken(event: LeasedEvent, { subject, route }: Told, id: string): Promise<boolean> {
    const { environment, application } = event;
    if (route.kind === 'signal') {
      const message = { ...route.message, id };
      const isTaken = await this.runs.signal({ environment, application, id: subject.id }, message);
      return isTaken || (await this.isReadAfterEnd(event, id));
    }
    if (route.kind === 'startReading') {
      const run = route.runOf({ environment, application, id: subject.id });
      await this.runs.startAgainWithMessage(run, { ...route.message, id });
      return true;
    }
    const { paymentId = subject.id, claim, patience } = route;
    const identity = await observeClaim(this.db, { environment, application, subjectId: subject.id }, route);
    const run = refundRunStart({ identity, claim, paymentId, patience, looksPerRun });
    const message: RefundMessage = { id, event: { type: 'refundNotified', eventType: event.event_type } };
    return await this.runs.startWithMessage(run, message);
  }

  /** Its run has ended since the event was routed: it may tell what comes after the end. */
  private async isReadAfterEnd(event: LeasedEvent, id: string): Promise<boolean> {
    const subject = await this.findSubject(event);
    if (!subject) return false;
    const route = routeEvent(event, subject);
    const isRead = route.kind === 'startReading' || route.kind === 'startRefund';
    return isRead && (await this.isTaken(event, { subject, route }, id));
  }
}

/** Another content may have been told under the event's id, and would keep this one out. */
function messageIdOf({ event_id, contradictions, dispatches }: LeasedEvent): string {
  return contradictions > 0 ? `${event_id}:${dispatches}` : event_id;
}

const nobody = 'no payment is known for the resource yet';

function outcomeOf(
  route: Told['route'],
  wasTaken: boolean,
): { readonly status: WebhookStatus; readonly detail: string } {
  if (!wasTaken) return { status: 'ignored', detail: 'late: the run has ended' };
  if (route.kind === 'startRefund') return { status: 'applied', detail: 'told to the run of the refund' };
  if (route.kind === 'startReading') return { status: 'applied', detail: 'told to a run that reads it' };
  // The run reads what is true; that the event said otherwise stays in sight.
  if (route.contradiction !== undefined) return { status: 'conflict', detail: route.contradiction };
  return { status: 'applied', detail: 'signalled' };
}
