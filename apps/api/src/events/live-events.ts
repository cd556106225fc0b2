import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { ChangeListener, type Database, isDatabaseAway, isTemporary } from '#database/connection';
import {
  isKnownPosition,
  type LiveEvent,
  listLiveEvents,
  noteListener,
  type Position,
  presentPosition,
} from '#database/notifications';
import type { Owner } from '#database/schema';
import { nameOfError } from '#observability';
import type { Caller } from '../auth/api-keys.js';
import { Places } from '../commands/places.js';
import { databaseToken } from '../injected/database-token.js';
import { log } from '../injected/log.js';
import { NotificationPayloads } from '../notifications/notification-payloads.js';
import { Problem } from '../problems/problem.js';
import { asCaller } from '../requests/caller-now.js';
import { EventStream, type EventWithBody } from './event-stream.js';
import { Turns } from './turns.js';

const pageSize = 200;
/** Of a listener that catches up: what it does not take of a page is read again. */
const joiningPageSize = 20;
/** Changes that come together share one read. */
const pauseMs = 20;
/** A hint can be lost. */
const lookAgainMs = 1_000;
const heartbeatMs = 15_000;
/** Of one API key in one process. */
const mostStreams = 1_000;

/**
 * Sends events to everyone who listens. One reader follows the notifications of all applications and hands each to its
 * listeners, so that a listener costs no connection to the database. A listener that resumes at an earlier place first
 * gets what follows up to the reader's place.
 */
@Injectable()
export class LiveEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly live = new Set<EventStream>();
  private readonly joining = new Set<EventStream>();
  private readonly places = new Places();
  /** Pages of an application's listeners are read one after the other: a thousand that resume slow down nobody else. */
  private readonly turns = new Turns();
  private readonly timers: NodeJS.Timeout[] = [];
  /** Up to here everything was handed to the live streams; undefined while nobody listens. */
  private tail: Position | undefined;
  private reading: Promise<void> | undefined;
  private isWoken = false;
  private isStopping = false;

  constructor(
    @Inject(databaseToken) private readonly db: Database,
    @Inject(ChangeListener) private readonly listener: ChangeListener,
    @Inject(NotificationPayloads) private readonly payloads: NotificationPayloads,
    @Inject(log) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.listener.onChange(() => this.wake());
    this.timers.push(setInterval(() => this.wake(), lookAgainMs));
    this.timers.push(setInterval(() => this.beat(), heartbeatMs));
  }

  /** Listeners come back to another process, or to the next one, and resume. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    for (const timer of this.timers) clearInterval(timer);
    for (const stream of [...this.live, ...this.joining]) stream.end();
    await this.reading;
  }

  /**
   * @param after where the listener was; undefined, or lost in a restore of the database: from now on.
   * @param about only events about this payment and its refunds.
   * @throws {Problem} 429 if the key listens too often.
   */
  async open(
    caller: Caller,
    { after, about }: { after?: Position | undefined; about?: string },
  ): Promise<EventStream> {
    const { keyId, environment, application, expiresAt: until } = caller;
    const release = this.places.take(keyId, mostStreams);
    if (!release) {
      const detail = `This API key may have ${mostStreams} streams of events at a time.`;
      throw new Problem('too-many-requests', { detail, headers: { 'retry-after': '1' } });
    }
    const stream = new EventStream({ owner: { environment, application }, about, until }, () => {
      release();
      this.live.delete(stream);
      this.joining.delete(stream);
    });
    try {
      await noteListener(this.db, stream.owner);
      const known = after && (await isKnownPosition(this.db, after)) ? after : undefined;
      const present = this.tail ?? (await presentPosition(this.db));
      // Another stream may have begun meanwhile. From here to the join nothing is awaited.
      const from = known ?? (this.tail ??= present);
      this.tail ??= present;
      stream.open(from);
      this.joining.add(stream);
      void this.join(stream, from);
      return stream;
    } catch (error) {
      stream.readable.destroy();
      throw error;
    }
  }

  /**
   * Sends what came after a place up to the tail, as fast as the listener takes it; then the stream is live. While it
   * waits, it holds no event: many may listen and take nothing.
   */
  private async join(stream: EventStream, from: Position): Promise<void> {
    try {
      let limit = joiningPageSize;
      for (let after = from; !stream.hasEnded && !this.isStopping;) {
        await stream.taken();
        const until = this.tail;
        if (!until) break;
        const page = { after, until, limit };
        const { place, sent, isCut } = await this.turns.take(nameOf(stream.owner), () =>
          this.sendPage(stream, page),
        );
        after = place;
        // Long events: of the next page no more is read than is likely to be sent.
        limit = isCut ? Math.max(1, sent) : Math.min(joiningPageSize, limit * 2);
        // Nothing is awaited between this look at the tail and the next event.
        if (after === this.tail && !stream.isBehind) {
          this.joining.delete(stream);
          if (!stream.hasEnded) this.live.add(stream);
          return;
        }
      }
    } catch (error) {
      this.complain(error);
    }
    stream.end();
  }

  /** @returns the place up to which everything was sent; `isCut`: the listener does not take the rest of the page now. */
  private async sendPage(
    stream: EventStream,
    page: { readonly after: Position; readonly until: Position; readonly limit: number },
  ): Promise<{ readonly place: Position; readonly sent: number; readonly isCut: boolean }> {
    const { owner } = stream;
    const events = stream.hasEnded ? [] : await listLiveEvents(this.db, { ...page, owner });
    let place = page.after;
    for (const [sent, event] of events.entries()) {
      if (stream.isBehind) return { place, sent, isCut: true };
      if (stream.isFor(event)) for (const sendable of await this.withBody(event)) stream.send(sendable);
      place = placeOf(event);
    }
    const isLast = events.length < page.limit;
    return { place: isLast ? page.until : place, sent: events.length, isCut: false };
  }

  private wake(): void {
    this.isWoken = true;
    this.reading ??= asCaller('events', async () => await this.readAll()).finally(
      () => (this.reading = undefined),
    );
  }

  private async readAll(): Promise<void> {
    while (this.isWoken && !this.isStopping) {
      this.isWoken = false;
      if (this.live.size + this.joining.size === 0) this.tail = undefined;
      try {
        await this.readOnce();
      } catch (error) {
        this.complain(error);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  private async readOnce(): Promise<void> {
    const after = this.tail;
    if (!after) return;
    const events = await listLiveEvents(this.db, { after, limit: pageSize });
    const last = events.at(-1);
    if (!last) return;
    const made = new Map<LiveEvent, readonly EventWithBody[]>();
    let next = this.nextForLive(events, made);
    while (next) {
      made.set(next, await this.withBody(next));
      next = this.nextForLive(events, made);
    }
    // Nothing is awaited after the last look at who is live: whoever joins from here on begins at the new tail.
    this.tail = placeOf(last);
    const wanted = events.flatMap((event) => made.get(event) ?? []);
    for (const stream of this.live) this.sendLive(stream, wanted);
    if (events.length === pageSize) this.isWoken = true;
  }

  /** The next event that a live stream is for, also one that has joined meanwhile, and that has no body yet. */
  private nextForLive(events: readonly LiveEvent[], made: ReadonlyMap<LiveEvent, unknown>) {
    const listening = new Set([...this.live].map(({ owner }) => nameOf(owner)));
    return events.find((event) => listening.has(nameOf(event)) && !made.has(event));
  }

  /** A listener that does not keep up gets the rest like one that resumes. */
  private sendLive(stream: EventStream, events: readonly EventWithBody[]): void {
    for (const event of events.filter((each) => stream.isFor(each))) {
      stream.send(event);
      if (!stream.isBehind) continue;
      this.live.delete(stream);
      this.joining.add(stream);
      void asCaller(`events of ${nameOf(stream.owner)}`, () => this.join(stream, placeOf(event)));
      return;
    }
  }

  /** @returns nothing for an event whose body cannot be made, so that the others do not wait for it. */
  private async withBody(event: LiveEvent): Promise<readonly EventWithBody[]> {
    try {
      return [{ ...event, payload: await this.payloads.of(event) }];
    } catch (error) {
      if (isTemporary(error)) throw error;
      const failure = { notification: event.id, error: nameOfError(error) };
      this.logger.error(failure, 'the body of an event could not be made; no listener gets it');
      return [];
    }
  }

  private beat(): void {
    for (const stream of this.live) stream.beat();
  }

  private complain(error: unknown): void {
    if (isDatabaseAway(error)) return;
    this.logger.error({ error: nameOfError(error) }, 'events could not be read; they are read again');
  }
}

function placeOf({ written_by: transaction, sequence }: LiveEvent): Position {
  return { transaction, sequence: String(sequence) };
}

function nameOf({ environment, application }: Owner): string {
  return `${environment}/${application}`;
}
