/** Far more than a run ever gets. It limits what continue-as-new carries over. */
const remembered = 2000;

interface Waiting<Message> {
  /** The number of the message among all that were received, from 1. */
  readonly ordinal: number;
  readonly message: Message;
}

/**
 * The messages to a run in the order of their arrival, each id once. Continue-as-new carries the seen ids over, so that a
 * redelivery is harmless there, too.
 */
export class MessageInbox<Message extends { readonly id: string }> {
  private readonly seenIds: Set<string>;
  private waiting: Waiting<Message>[];
  private receivedSoFar: number;

  constructor(seen: readonly string[] = [], waiting: readonly Message[] = []) {
    this.seenIds = new Set(seen);
    this.waiting = waiting.map((message, index) => ({ message, ordinal: index + 1 }));
    this.receivedSoFar = waiting.length;
  }

  receive(message: Message): void {
    if (!this.remember(message.id)) return;
    this.receivedSoFar += 1;
    this.waiting.push({ message, ordinal: this.receivedSoFar });
  }

  /**
   * Notes the id of a message that need not be taken.
   *
   * @returns false if the message was received before.
   */
  remember(id: string): boolean {
    if (this.seenIds.has(id)) return false;
    this.seenIds.add(id);
    const [oldest] = this.seenIds;
    if (this.seenIds.size > remembered && oldest !== undefined) this.seenIds.delete(oldest);
    return true;
  }

  holds(isWanted: (message: Message) => boolean): boolean {
    return this.waiting.some(({ message }) => isWanted(message));
  }

  /** @param among only the first so many received messages are considered. */
  next(among = Number.POSITIVE_INFINITY): Message | undefined {
    const [first] = this.waiting;
    if (!first || first.ordinal > among) return undefined;
    this.waiting.shift();
    return first.message;
  }

  /** The message that comes next; it stays. */
  first(): Message | undefined {
    return this.waiting[0]?.message;
  }

  /**
   * @param among only the first so many received messages are considered.
   * @returns how many were removed.
   */
  leaveOut(isUnwanted: (message: Message) => boolean, among: number): number {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter(({ message, ordinal }) => ordinal > among || !isUnwanted(message));
    return before - this.waiting.length;
  }

  /** True for a message that was received before, taken or not. */
  knows(id: string): boolean {
    return this.seenIds.has(id);
  }

  /** The number of received messages, taken or not. */
  get received(): number {
    return this.receivedSoFar;
  }

  get size(): number {
    return this.waiting.length;
  }

  carriedOver(): { readonly seen: readonly string[]; readonly waiting: readonly Message[] } {
    return { seen: [...this.seenIds], waiting: this.waiting.map(({ message }) => message) };
  }
}
