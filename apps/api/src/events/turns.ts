/** Work of the same name is done one after the other. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  async take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(name) ?? Promise.resolve()).then(work);
    this.last.set(
      name,
      turn.catch(() => undefined),
    );
    return await turn;
  }
}
