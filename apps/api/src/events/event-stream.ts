import { PassThrough, type Readable } from 'node:stream';
import type { LiveEvent, Position } from '#database/notifications';
import type { Owner } from '#database/schema';

/** An event with its body, which is made once for all who listen. */
export interface EventWithBody extends LiveEvent {
  readonly payload: string;
}

/**
 * If more bytes wait for it, a listener is not sent events live: it continues at its own pace. A key may have a thousand
 * listeners that take nothing.
 */
const mostUntaken = 131_072;
/** A listener that takes nothing for so long is cut off: it resumes where it was. */
const patienceMs = 60_000;

/** Who listens, and to what. */
export interface Listening {
  readonly owner: Owner;
  /** Only events about this payment and its refunds. */
  readonly about?: string | undefined;
  /** When the API key expires, as an ISO 8601 instant. */
  readonly until?: string | undefined;
}

/** The events of one listener, in the form of server-sent events (text/event-stream). */
export class EventStream {
  private readonly out = new PassThrough({ writableHighWaterMark: mostUntaken });
  readonly owner: Owner;

  /** @param onEnd is called once, when nobody listens any more. */
  constructor(
    private readonly listening: Listening,
    onEnd: () => void,
  ) {
    this.owner = listening.owner;
    this.out.once('close', onEnd);
  }

  get readable(): Readable {
    return this.out;
  }

  get hasEnded(): boolean {
    return this.out.destroyed || this.out.writableEnded;
  }

  /** Much of what it was sent still waits for the listener. */
  get isBehind(): boolean {
    return this.out.writableNeedDrain;
  }

  /** Waits until the listener has taken what it was sent, or does not listen any more. */
  async taken(): Promise<void> {
    if (!this.isBehind || this.hasEnded) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.out.once('drain', resolve).once('close', resolve);
    let untaken = this.untaken;
    const look = setInterval(() => {
      if (untaken === this.untaken) this.out.destroy();
      untaken = this.untaken;
    }, patienceMs);
    await promise;
    clearInterval(look);
    this.out.off('drain', resolve).off('close', resolve);
  }

  /** Sends the listener its place, without an event: a restart before the first event loses nothing. */
  open(position: Position): void {
    this.write(`retry: 1000\nid: ${idOf(position)}\n\n`);
  }

  isFor({ environment, application, about }: LiveEvent): boolean {
    const isOwn = environment === this.owner.environment && application === this.owner.application;
    return isOwn && (this.listening.about === undefined || this.listening.about === about);
  }

  send(event: EventWithBody): void {
    this.write(bytesOf(event));
  }

  /** A comment, so that no proxy takes the connection for dead. */
  beat(): void {
    this.write(':\n\n');
  }

  end(): void {
    this.out.end();
  }

  private write(text: string | Buffer): void {
    if (this.isOver) this.end();
    if (!this.hasEnded) this.out.write(text);
  }

  private get isOver(): boolean {
    const { until } = this.listening;
    return until !== undefined && Date.now() >= Date.parse(until);
  }

  private get untaken(): number {
    return this.out.writableLength + this.out.readableLength;
  }
}

/** Made once for all who listen: a copy for each of a thousand listeners is a hundred megabytes that wait for the collector. */
const made = new WeakMap<EventWithBody, Buffer>();

function bytesOf(event: EventWithBody): Buffer {
  const known = made.get(event);
  if (known) return known;
  const { written_by: transaction, sequence, type, payload } = event;
  const id = idOf({ transaction, sequence: String(sequence) });
  const bytes = Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${payload}\n\n`);
  made.set(event, bytes);
  return bytes;
}

/** What a listener sends as `Last-Event-ID`. */
export function idOf({ transaction, sequence }: Position): string {
  return `${transaction}-${sequence}`;
}

/** @returns undefined for an id that this API did not write. */
export function positionOf(id: string): Position | undefined {
  const [, transaction, sequence] = /^(\d{1,19})-(\d{1,19})$/.exec(id) ?? [];
  if (transaction === undefined || sequence === undefined) return undefined;
  return BigInt(sequence) < 2n ** 63n ? { transaction, sequence } : undefined;
}
