/** Counts how many are at something at a time, by name. */
export class Places {
  private readonly taken = new Map<string, number>();

  /** @returns how the place is given back; undefined where all of them are taken. */
  take(name: string, most: number): (() => void) | undefined {
    const others = this.taken.get(name) ?? 0;
    if (others >= most) return undefined;
    this.taken.set(name, others + 1);
    return () => this.giveBack(name);
  }

  private giveBack(name: string): void {
    const left = (this.taken.get(name) ?? 1) - 1;
    if (left > 0) this.taken.set(name, left);
    else this.taken.delete(name);
  }
}
