/** Counts concurrent uses by name. */
export class Places {
  private readonly taken = new Map<string, number>();

  /** @returns a function that releases the place; undefined if all places are in use. */
  take(name: string, most: number): (() => void) | undefined {
    const others = this.taken.get(name) ?? 0;
    if (others >= most) return undefined;
    this.taken.set(name, others + 1);
    return () => this.release(name);
  }

  private release(name: string): void {
    const left = (this.taken.get(name) ?? 1) - 1;
    if (left > 0) this.taken.set(name, left);
    else this.taken.delete(name);
  }
}
