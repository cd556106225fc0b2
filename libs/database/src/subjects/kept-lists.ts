/** A list, and a mark that changes whenever the list changes. */
export interface MarkedList<Entry> {
  readonly mark: string;
  readonly list: readonly Entry[];
}

/** A cache of long lists. A list is read once until its mark changes, however many callers request it. */
export class KeptLists<Entry> {
  /** The list that was used last is the last entry. */
  private readonly kept = new Map<string, MarkedList<Entry>>();
  private readonly beingRead = new Map<string, Promise<MarkedList<Entry>>>();
  private size = 0;

  /** @param most the number of entries of all kept lists. A longer list is kept alone. */
  constructor(private readonly most: number) {}

  /**
   * @param mark the list's current mark, as far as known.
   * @param read is called if the kept list has another mark.
   * @returns the list with its own mark: another one if the list has changed since `mark` was read.
   */
  async get(id: string, mark: string, read: () => Promise<MarkedList<Entry>>): Promise<MarkedList<Entry>> {
    const known = this.kept.get(id);
    if (known?.mark === mark) {
      this.keep(id, known);
      return known;
    }
    const name = `${id} ${mark}`;
    const reading =
      this.beingRead.get(name) ?? this.read(id, read).finally(() => this.beingRead.delete(name));
    this.beingRead.set(name, reading);
    return await reading;
  }

  private async read(id: string, read: () => Promise<MarkedList<Entry>>): Promise<MarkedList<Entry>> {
    const found = await read();
    this.keep(id, found);
    return found;
  }

  private keep(id: string, found: MarkedList<Entry>): void {
    this.forget(id);
    this.kept.set(id, found);
    this.size += found.list.length;
    for (const oldest of this.kept.keys()) {
      if (this.size <= this.most || oldest === id) return;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    this.size -= this.kept.get(id)?.list.length ?? 0;
    this.kept.delete(id);
  }
}
