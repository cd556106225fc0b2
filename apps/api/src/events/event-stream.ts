import { PassThrough, type Readable } from 'node:stream';
import type { LiveEvent, Position } from '#database/notifications';
import type { Owner } from '#database/schema';

/** An event with its body, which is made once for all who listen. */
export interface ToldEvent extends LiveEvent {
  readonly payload: string;
}

/** A listener that has not taken so many bytes is cut off: it resumes where it was. */
const mostUntaken = 1_048_576;

/** The events of one listener, in the form of server-sent events (text/event-stream). */
export class EventStream {
  private readonly out = new PassThrough();

  /**
   * @param about only events about this payment and its refunds.
   * @param onEnd is called once, when nobody listens any more.
   */
  constructor(
    readonly owner: Owner,
    private readonly about: string | undefined,
    onEnd: () => void,
  ) {
    this.out.once('close', onEnd);
  }

  get readable(): Readable {
    return this.out;
  }

  get hasEnded(): boolean {
    return this.out.destroyed || this.out.writableEnded;
  }

  /** Tells where the listener is, without an event: a restart before the first event loses nothing. */
  open(position: Position): void {
    this.write(`retry: 1000\nid: ${idOf(position)}\n\n`);
  }

  isFor({ environment, application, about }: LiveEvent): boolean {
    const isOwn = environment === this.owner.environment && application === this.owner.application;
    return isOwn && (this.about === undefined || this.about === about);
  }

  send({ written_by: transaction, sequence, type, payload }: ToldEvent): void {
    const id = idOf({ transaction, sequence: String(sequence) });
    this.write(`id: ${id}\nevent: ${type}\ndata: ${payload}\n\n`);
  }

  /** A comment, so that nobody in between takes the connection for dead. */
  beat(): void {
    this.write(':\n\n');
  }

  end(): void {
    this.out.end();
  }

  private write(text: string): void {
    if (this.hasEnded) return;
    if (this.out.writableLength + this.out.readableLength > mostUntaken) this.out.destroy();
    else this.out.write(text);
  }
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
