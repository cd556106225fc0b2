/** Does the work for each item, some at the same time. Rejects after the first failure, once what was begun has ended. */
export async function eachAbreast<Item>(
  abreast: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const takeTurns = async (): Promise<void> => {
    for (let turn = waiting.next(); !turn.done && failures.length === 0; turn = waiting.next()) {
      try {
        await work(turn.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: abreast }, takeTurns));
  if (failures.length > 0) throw failures[0];
}
