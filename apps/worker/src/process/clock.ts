/** Less than this is no step of the clock. */
const leastStepMs = 1_000;

type Activity = (...args: unknown[]) => Promise<unknown>;

/**
 * Lets activities begin only while the worker's clock is right. It was right when the worker started (`assertClock`). It
 * may be set later, or a machine that was suspended may go on with an old one. Then it has moved against the monotonic
 * clock, and is compared with the database's again.
 *
 * @param check throws if the clock is wrong; the activity is tried again.
 */
export function onRightClock<Activities extends object>(
  activities: Activities,
  check: () => Promise<void>,
): Activities {
  let known = Date.now() - performance.now();
  const assertUnmoved = async () => {
    const present = Date.now() - performance.now();
    if (Math.abs(present - known) < leastStepMs) return;
    await check();
    known = present;
  };
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: unknown[]) => {
      await assertUnmoved();
      return await (activity as Activity)(...args);
    },
  ]);
  return Object.fromEntries(guarded) as Activities;
}
