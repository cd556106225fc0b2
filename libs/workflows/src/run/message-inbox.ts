/** Far more than a run ever gets; bounds what is carried over continue-as-new. */
const remembered = 2000;

/**
 * Messages to a run, in the order in which they are handed in, each id once. The ids that were seen travel across continue-as-new, so that
 * a redelivery is harmless there too.
 */
export class MessageInbox<Message extends { readonly id: string }> {
  private readonly seenIds: Set<string>;
  private readonly waiting: Message[];

  constructor(seen: readonly string[] = [], waiting: readonly Message[] = []) {
    this.seenIds = new Set(seen);
    this.waiting = [...waiting];
  }

  receive(message: Message): void {
    if (this.remember(message.id)) this.waiting.push(message);
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
    return this.waiting.some(isWanted);
  }

  next(): Message | undefined {
    return this.waiting.shift();
  }

  /** True for a message that came before, taken or not. */
  knows(id: string): boolean {
    return this.seenIds.has(id);
  }

  get size(): number {
    return this.waiting.length;
  }

  carriedOver(): { readonly seen: readonly string[]; readonly waiting: readonly Message[] } {
    return { seen: [...this.seenIds], waiting: [...this.waiting] };
  }
}
