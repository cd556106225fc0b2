/** Far more than a run ever gets; bounds what is carried over continue-as-new. */
const remembered = 2000;

interface Waiting<Message> {
  /** Among all that were received, from 1. */
  readonly ordinal: number;
  readonly message: Message;
}

/**
 * Messages to a run, in the order in which they are handed in, each id once. The ids that were seen travel across continue-as-new, so that
 * a redelivery is harmless there too.
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
   * Notes a message that need not be taken.
   *
   * @returns false when it came before.
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

  /** @param among only of the first so many that were received. */
  next(among = Number.POSITIVE_INFINITY): Message | undefined {
    const [first] = this.waiting;
    if (!first || first.ordinal > among) return undefined;
    this.waiting.shift();
    return first.message;
  }

  /**
   * @param among only of the first so many that were received.
   * @returns how many were left out.
   */
  leaveOut(isUnwanted: (message: Message) => boolean, among: number): number {
    const before = this.waiting.length;
    this.waiting = this.waiting.filter(({ message, ordinal }) => ordinal > among || !isUnwanted(message));
    return before - this.waiting.length;
  }

  /** True for a message that came before, taken or not. */
  knows(id: string): boolean {
    return this.seenIds.has(id);
  }

  /** How many were received so far, taken or not. */
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
