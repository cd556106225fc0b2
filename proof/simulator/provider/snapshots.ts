/** The versions of a resource with their instants; lagging reads are answered from them. */
export class Snapshots<T> {
  private readonly kept = new Map<string, { readonly at: number; readonly value: T }[]>();

  keep(id: string, at: number, value: T): void {
    const earlier = this.kept.get(id);
    if (earlier) earlier.push({ at, value });
    else this.kept.set(id, [{ at, value }]);
  }

  at(id: string, instant: number): T | undefined {
    return this.kept.get(id)?.findLast(({ at }) => at <= instant)?.value;
  }

  /** All that there was, newest first. */
  allAt(instant: number): T[] {
    return [...this.kept.keys()].flatMap((id) => this.at(id, instant) ?? []).toReversed();
  }
}
